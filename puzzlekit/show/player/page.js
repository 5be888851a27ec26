// The model of a board on a page without Python: what its marks break is found by the genre's rules (RULES), what comes
// next by the stored steps. It keeps the same promises as the widget in widget.py.
const RULES = {}; // genre -> (puzzle, marks) => what is broken: [{code, sentence, cells, walls}]
const TOLD = 3; // broken rules in words; all of them are framed
const SILENT = { message: "", solved: false, wrong: {}, because: {}, therefore: {}, heat: [], inside: [], step: 0, rung: "" };

// cells beside a cell: above, left, right, below
function beside({ rows, cols }, i) {
  const r = Math.floor(i / cols), c = i % cols, found = [];
  if (r > 0) found.push(i - cols);
  if (c > 0) found.push(i - 1);
  if (c + 1 < cols) found.push(i + 1);
  if (r + 1 < rows) found.push(i + cols);
  return found;
}

// Connected pieces of all cells, in reading order of their first cells; joined(i, j) is asked of cells side by side.
function pieces(puzzle, joined) {
  const seen = new Set(), found = [];
  for (let first = 0; first < puzzle.rows * puzzle.cols; first++) {
    if (seen.has(first)) continue;
    const piece = [first];
    seen.add(first);
    for (const i of piece) {
      for (const j of beside(puzzle, i)) {
        if (!seen.has(j) && joined(i, j)) { seen.add(j); piece.push(j); }
      }
    }
    found.push(piece.sort((a, b) => a - b));
  }
  return found;
}

// Unshaded cells that shaded ones keep from the other unshaded cells for good: the smallest part, or none.
function cutOff(puzzle, state) {
  const apart = pieces(puzzle, (i, j) => (state[i] === SHADED) === (state[j] === SHADED));
  const parts = apart.map((piece) => piece.filter((i) => state[i] === UNSHADED)).filter((part) => part.length);
  return parts.length > 1 ? parts.reduce((least, part) => (part.length < least.length ? part : least)) : [];
}

// The marks with every clue's cell unshaded, as it is printed, and the clues that are shaded nevertheless.
function printed(puzzle, marks) {
  const clued = puzzle.clues.flatMap((clue, i) => (clue === "" ? [] : [i]));
  const shaded = clued.filter((i) => marks[i] === SHADED);
  const state = [...marks];
  for (const i of clued) state[i] = UNSHADED;
  const broken = shaded.map((i) => ({ code: "clue-shaded", sentence: `The clue at ${puzzle.names[i]} is shaded.`, cells: [i], walls: [] }));
  return { clued, state, broken };
}

class Page {
  constructor(puzzle, steps) {
    this.puzzle = puzzle;
    this.steps = steps;
    this.blank = Array(puzzle.places).fill(UNKNOWN);
    this.last = this.after(steps.length); // the answer: the steps go all the way
    this.values = { puzzle, marks: this.blank, told: SILENT };
    this.listeners = {};
  }

  get(name) { return this.values[name]; }
  on(event, act) { (this.listeners[event] ??= new Set()).add(act); }
  off(event, act) { this.listeners[event]?.delete(act); }
  set(name, value) { this.values[name] = value; }

  put(name, value) {
    this.values[name] = value;
    for (const act of this.listeners[`change:${name}`] ?? []) act();
  }

  save_changes() { this.judge(); } // after marks by hand

  send({ ask, step }) { this[ask](step); }

  after(count) {
    const marks = [...this.blank];
    for (const step of this.steps.slice(0, count)) for (const [place, value] of step.settles) marks[place] = value;
    return marks;
  }

  tell(message, shown = {}) {
    const { wrong, solved } = this.values.told; // what is so until the next mark
    this.put("told", { ...SILENT, wrong, solved, message, ...shown });
  }

  judge() {
    const { puzzle, marks } = this.values;
    const broken = RULES[puzzle.genre](puzzle, marks);
    const complete = marks.map((mark) => (mark === UNKNOWN ? UNSHADED : mark));
    const solved = RULES[puzzle.genre](puzzle, complete).length === 0;
    const wrong = { cells: broken.flatMap((fault) => fault.cells), walls: broken.flatMap((fault) => fault.walls) };
    this.tell(solved ? "Solved." : "", { wrong, solved });
    return broken;
  }

  check() {
    const sentences = this.judge().map((fault) => fault.sentence);
    const more = sentences.length > TOLD ? ` And ${sentences.length - TOLD} more.` : "";
    if (sentences.length) this.tell(sentences.slice(0, TOLD).join(" ") + more);
    else if (!this.values.told.solved) this.tell("No rule is broken so far.");
  }

  // The first stored step of which something is not marked yet: all that it rests on is marked, since nothing is wrong.
  next() {
    const { marks, puzzle } = this.values;
    const wrong = marks.flatMap((mark, i) => (mark !== UNKNOWN && mark !== this.last[i] ? [i] : []));
    if (wrong.length) {
      const where = wrong.length === 1 ? "One mark is" : `${wrong.length} marks are`;
      this.tell(`${where} not as the answer has it.`, { wrong: { [puzzle.walls ? "walls" : "cells"]: wrong } });
      return null;
    }
    const at = this.steps.findIndex((step) => step.settles.some(([place, value]) => marks[place] !== value));
    if (at < 0) this.tell("Everything is settled, and it is right.");
    return at < 0 ? null : at;
  }

  shown(at) {
    const { because, settles, rung, inside } = this.steps[at];
    const therefore = { [this.puzzle.walls ? "walls" : "cells"]: settles.map(([place]) => place) };
    return { because, therefore, inside, rung, step: at + 1 };
  }

  hint() {
    const at = this.next();
    if (at !== null) this.tell(this.steps[at].sentence, { ...this.shown(at), step: 0 });
  }

  step() {
    const at = this.next();
    if (at === null) return;
    const marks = [...this.values.marks];
    for (const [place, value] of this.steps[at].settles) marks[place] = value;
    this.reach(at, marks);
  }

  go(count) {
    if (count === 0) {
      this.put("marks", this.blank);
      this.judge();
    } else this.reach(count - 1, this.after(count));
  }

  reach(at, marks) {
    this.put("marks", marks);
    this.judge();
    const solved = this.values.told.solved ? " Solved." : "";
    this.tell(this.steps[at].sentence + solved, this.shown(at));
  }
}

function start() {
  for (const el of document.querySelectorAll("[data-board]")) {
    const { puzzle, steps } = JSON.parse(el.querySelector("script").textContent);
    el.replaceChildren();
    render({ model: new Page(puzzle, steps), el });
  }
}
