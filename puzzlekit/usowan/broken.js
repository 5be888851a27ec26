// Usowan: the rules that marks break already, as `broken` in game.py finds them.
RULES.Usowan = (puzzle, marks) => {
  const { clues, names, regions, cols, rows } = puzzle;
  const { state, broken: found } = printed(puzzle, marks);
  const add = (code, sentence, cells) => found.push({ code, sentence, cells, walls: [] });
  const touching = (step, ends) => state.forEach((mark, i) => {
    if (mark === SHADED && !ends(i) && state[i + step] === SHADED) {
      add("shaded-adjacent", `Shaded cells touch at ${names[i]} and ${names[i + step]}.`, [i, i + step]);
    }
  });
  touching(1, (i) => i % cols === cols - 1);
  touching(cols, (i) => i >= (rows - 1) * cols);
  const lost = cutOff(puzzle, state);
  if (lost.length || state.every((mark) => mark === SHADED)) {
    const where = lost.length ? `: ${names[lost[0]]} is cut off` : "";
    add("white-split", `The unshaded cells are not one region${where}.`, lost);
  }
  for (let region = 0; region <= Math.max(...regions); region++) {
    const cells = clues.flatMap((clue, i) => (regions[i] === region && /\d/.test(clue) ? [i] : []));
    const bounds = cells.map((i) => {
      const around = beside(puzzle, i).map((j) => state[j]);
      const low = around.filter((mark) => mark === SHADED).length;
      return [low, low + around.filter((mark) => mark === UNKNOWN).length];
    });
    const wrong = cells.filter((i, k) => clues[i] < bounds[k][0] || clues[i] > bounds[k][1]);
    const right = cells.filter((i, k) => bounds[k][0] === bounds[k][1] && Number(clues[i]) === bounds[k][0]);
    if (wrong.length > 1) {
      const places = wrong.slice(0, 2).map((i) => names[i]).join(" and ");
      add("region-lies-not-one", `Two numbers of one region are wrong: ${places}.`, wrong);
    } else if (right.length === cells.length) {
      const corner = regions.indexOf(region);
      const sentence = `No number is wrong in the region of ${names[corner]}.`;
      add("region-lies-not-one", sentence, cells.length ? cells : [corner]);
    }
  }
  return found;
};
