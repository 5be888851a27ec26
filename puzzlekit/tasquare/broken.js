// Tasquare: the rules that marks break already, as `broken` in game.py finds them.
RULES.Tasquare = (puzzle, marks) => {
  const { clues, names, cols } = puzzle;
  const { clued, state, broken: found } = printed(puzzle, marks);
  const add = (code, sentence, cells) => found.push({ code, sentence, cells, walls: [] });
  if (state.every((mark) => mark === UNSHADED)) add("nothing-shaded", "Nothing is shaded.", []);
  const blocks = pieces(puzzle, (i, j) => (state[i] === SHADED) === (state[j] === SHADED)).filter(([i]) => state[i] === SHADED);
  const growing = blocks.map((block) => block.some((i) => beside(puzzle, i).some((j) => state[j] === UNKNOWN)));
  blocks.forEach((block, b) => {
    const rows = block.map((i) => Math.floor(i / cols)), columns = block.map((i) => i % cols);
    const [top, bottom, left, right] = [Math.min(...rows), Math.max(...rows), Math.min(...columns), Math.max(...columns)];
    const height = bottom - top + 1, width = right - left + 1;
    const box = state.filter((_, i) => {
      const r = Math.floor(i / cols), c = i % cols;
      return r >= top && r <= bottom && c >= left && c <= right;
    });
    const whole = height === width && block.length === height * width;
    if (box.includes(UNSHADED) || !(growing[b] || whole)) {
      add("block-not-square", `The block at ${names[block[0]]} cannot be a square.`, block);
    }
  });
  const lost = cutOff(puzzle, state);
  if (lost.length) add("white-split", `The unshaded cells are not one region: ${names[lost[0]]} is cut off.`, lost);
  for (const i of clued) {
    const around = beside(puzzle, i);
    const touching = blocks.flatMap((block, b) => (around.some((j) => block.includes(j)) ? [b] : []));
    const area = touching.reduce((sum, b) => sum + blocks[b].length, 0), value = Number(clues[i]);
    const settled = !around.some((j) => state[j] === UNKNOWN) && !touching.some((b) => growing[b]);
    if (around.every((j) => state[j] === UNSHADED)) {
      add("clue-touches-no-shading", `The clue at ${names[i]} has no shading beside it.`, [i]);
    } else if (clues[i] !== "?" && (area > value || (settled && area !== value))) {
      add("sum-mismatch", `The blocks beside the ${value} at ${names[i]} have ${area} cells.`, [i]);
    }
  }
  return found;
};
