// Nawabari: the rules that marks break already, as `broken` in game.py finds them. A mark is a side: those to the right
// of cells come first, then those below.
RULES.Nawabari = (puzzle, marks) => {
  const { clues, names, rows, cols } = puzzle;
  const OPEN = UNSHADED, WALL = SHADED;
  const found = [];
  const add = (code, sentence, cells, walls) => found.push({ code, sentence, cells, walls });
  const right = (r, c) => r * (cols - 1) + c, down = (r, c) => rows * (cols - 1) + r * cols + c; // numbers of sides
  const at = (side) => (side === null ? WALL : marks[side]); // the frame is a wall
  const sides = (r, c) => [ // left, right, above, below
    c > 0 ? right(r, c - 1) : null, c + 1 < cols ? right(r, c) : null,
    r > 0 ? down(r - 1, c) : null, r + 1 < rows ? down(r, c) : null,
  ];
  const amount = (list, value) => list.filter((mark) => mark === value).length;

  clues.forEach((clue, i) => {
    if (!/\d/.test(clue)) return;
    const around = sides(Math.floor(i / cols), i % cols).map(at);
    const low = amount(around, WALL), value = Number(clue);
    if (value < low || value > low + amount(around, UNKNOWN)) {
      add("wall-count-mismatch", `The ${value} at ${names[i]} cannot have ${value} walls.`, [i], []);
    }
  });

  for (let r = 0; r + 1 < rows; r++) {
    for (let c = 0; c + 1 < cols; c++) {
      const walls = [right(r, c), right(r + 1, c), down(r, c), down(r, c + 1)], around = walls.map(at);
      const corner = `the lower right corner of ${names[r * cols + c]}`;
      if (around.includes(UNKNOWN)) continue;
      if (amount(around, WALL) === 1) add("dead-end-wall", `A wall ends at ${corner}.`, [], walls);
      else if (amount(around, WALL) === 2 && around[0] !== around[1]) {
        add("room-not-rectangle", `A wall turns at ${corner}, so a room has a bend.`, [], walls);
      }
    }
  }

  const open = (i, j) => {
    const [one, other] = [Math.min(i, j), Math.max(i, j)], r = Math.floor(one / cols), c = one % cols;
    return at(other === one + 1 ? right(r, c) : down(r, c)) === OPEN;
  };
  for (const piece of pieces(puzzle, open)) { // joined for certain: the smallest rectangle around it belongs to its room
    const down_ = piece.map((i) => Math.floor(i / cols)), across = piece.map((i) => i % cols);
    const [top, bottom, left, last] = [Math.min(...down_), Math.max(...down_), Math.min(...across), Math.max(...across)];
    const room = `The room of ${names[piece[0]]}`;
    const around = [], inside = [], below = [], edge = [];
    for (let r = top; r <= bottom; r++) {
      for (let c = left; c <= last; c++) {
        around.push(r * cols + c);
        if (c < last && at(right(r, c)) === WALL) inside.push(right(r, c));
        if (r < bottom && at(down(r, c)) === WALL) below.push(down(r, c));
        const [west, east, north, south] = sides(r, c);
        if (c === left) edge.push(at(west));
        if (c === last) edge.push(at(east));
        if (r === top) edge.push(at(north));
        if (r === bottom) edge.push(at(south));
      }
    }
    inside.push(...below);
    if (inside.length) add("room-not-rectangle", `${room} cannot be a rectangle.`, [], inside);
    const numbers = around.filter((i) => clues[i] !== "");
    if (numbers.length > 1) add("room-with-several-numbers", `${room} has several numbers.`, numbers, []);
    if (!numbers.length && edge.every((mark) => mark === WALL)) add("room-without-number", `${room} has no number.`, around, []);
  }
  return found;
};
