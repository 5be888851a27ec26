// A board to play: draws it, takes marks, undoes them. What is right, and why, is asked of the model: in a notebook that
// is Python, on a page without a kernel it is page.js.
const CELL = 40, PAD = 6, EDGE = 24, REACH = 10; // pixels; EDGE is where rows and columns are numbered
const UNKNOWN = 0, UNSHADED = 1, SHADED = 2;
const NAMES = { cells: ["unmarked", "unshaded", "shaded"], walls: ["unmarked", "no wall", "wall"] };
const CLASSES = ["", "unshaded", "shaded"];
const ASKS = { // what a player may ask, as far as the model can answer it
  check: { button: "Check", key: "C checks", title: "What the marks break, by the rules" },
  hint: { button: "Hint", key: "H hints", title: "The next deduction, with its reason" },
  step: { button: "Next step", key: "N takes the next step", title: "Mark what the next deduction settles" },
  count: { button: "Count", title: "How many answers agree with the marks" },
  heat: { button: "Heat map", title: "How often each place is marked in these answers" },
};
const LETTERS = { c: "check", h: "hint", n: "step" };
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function svg(name, attributes = {}, parent = null) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (parent) parent.appendChild(node);
  return node;
}

function html(name, attributes = {}, text = "") {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.textContent = text;
  return node;
}

function render({ model, el }) {
  const { genre, rows, cols, walls, clues, regions, names, margins, letters, asks, steps } = model.get("puzzle");
  const past = [], future = [];
  let marks = [...model.get("marks")];
  let cursor = 0; // the cell that has the keyboard
  let painting = null; // {value} while the pointer is down

  const root = html("div", { class: "puzzlekit-player", "data-lm-suppress-shortcuts": "true" });
  const toolbar = html("div", { role: "toolbar", "aria-label": `${genre} board` });
  const telling = html("div", { class: "told", role: "status", "aria-live": "polite" });
  const others = asks.map((name) => ASKS[name].key).filter(Boolean).join(", ");
  const keys = html("details", { class: "keys" });
  keys.append(html("summary", {}, "How to mark"), html("p", {}, walls
    ? "Click, tap or drag along a line: wall, no wall, unmarked. Keys: arrows move, Shift and an arrow marks that side of the cell, "
      + `U or Ctrl+Z undoes, ${others}.`
    : "Click, tap or drag: shaded, unshaded, unmarked; the right button marks unshaded. Keys: arrows move, Space shades, X marks "
      + `unshaded, Delete unmarks, U or Ctrl+Z undoes, ${others}.`));

  const buttons = {};
  function button(name, title, act) {
    buttons[name] = html("button", { type: "button", title }, name);
    buttons[name].addEventListener("click", act);
    toolbar.appendChild(buttons[name]);
  }
  const ask = (question) => () => model.send({ ask: question });
  button("Undo", "Take the last mark back", undo);
  button("Redo", "Mark it again", redo);
  button("Clear", "Remove all marks", () => change(marks.map(() => UNKNOWN)));
  for (const name of asks) button(ASKS[name].button, ASKS[name].title, () => model.send({ ask: name }));

  const slider = html("input", { type: "range", min: 0, max: steps, value: 0, step: 1 });
  const where = html("span", { class: "where", "aria-hidden": "true" });
  const stepped = html("label", { class: "stepped" }, "Step by step");
  stepped.append(slider, where);
  slider.addEventListener("input", () => model.send({ ask: "go", step: Number(slider.value) }));

  // the board

  const board = svg("svg", {
    role: "grid", "aria-label": `${genre}, ${rows} rows, ${cols} columns`, "aria-rowcount": rows, "aria-colcount": cols,
    viewBox: `${-EDGE} ${-EDGE} ${cols * CELL + EDGE + PAD} ${rows * CELL + EDGE + PAD}`,
    width: cols * CELL + EDGE + PAD, height: rows * CELL + EDGE + PAD,
  });
  const edging = svg("g", { "aria-hidden": "true" }, board);
  margins.cols.forEach((name, c) => { svg("text", { class: "edge-number", x: (c + 0.5) * CELL, y: -7 }, edging).textContent = name; });
  margins.rows.forEach((name, r) => { svg("text", { class: "edge-number", x: -13, y: (r + 0.5) * CELL + 4 }, edging).textContent = name; });
  const cells = [];
  for (let r = 0; r < rows; r++) {
    const row = svg("g", { role: "row" }, board);
    for (let c = 0; c < cols; c++) {
      const place = svg("g", { role: "gridcell", class: "place", tabindex: "-1", "data-cell": r * cols + c }, row);
      svg("rect", { class: "cell", x: c * CELL, y: r * CELL, width: CELL, height: CELL }, place);
      svg("rect", { class: "heat", x: c * CELL, y: r * CELL, width: CELL, height: CELL, "fill-opacity": 0 }, place);
      const clue = clues[r * cols + c], x = (c + 0.5) * CELL, y = (r + 0.5) * CELL;
      if (clue) svg("text", { x, y: y + 8 }, place).textContent = clue;
      else svg("circle", { class: "dot", cx: x, cy: y, r: 3.5 }, place); // a clue shows by itself that its cell is unshaded
      svg("rect", { class: "frame", x: c * CELL + 4, y: r * CELL + 4, width: CELL - 8, height: CELL - 8, rx: 2 }, place);
      cells.push(place);
    }
  }
  let lines = "", thick = `M0 0h${cols * CELL}v${rows * CELL}h${-cols * CELL}z`;
  const differ = (a, b) => regions.length > 0 && regions[a] !== regions[b];
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      const here = r * cols + c;
      if (c + 1 < cols) {
        lines += `M${(c + 1) * CELL} ${r * CELL}v${CELL}`;
        if (differ(here, here + 1)) thick += `M${(c + 1) * CELL} ${r * CELL}v${CELL}`;
      }
      if (r + 1 < rows) {
        lines += `M${c * CELL} ${(r + 1) * CELL}h${CELL}`;
        if (differ(here, here + cols)) thick += `M${c * CELL} ${(r + 1) * CELL}h${CELL}`;
      }
    }
  }
  svg("path", { class: walls ? "gridlines walls" : "gridlines", d: lines }, board);
  svg("path", { class: "borders", d: thick }, board);
  const lettering = svg("g", { "aria-hidden": "true" }, board);
  for (const [i, letter] of letters) { // of the regions, as the explanation names them
    svg("text", { class: "edge-number letter", x: (i % cols) * CELL + 7, y: Math.floor(i / cols) * CELL + 12 }, lettering).textContent = letter;
  }

  const edges = [], sidings = svg("g", { "aria-hidden": "true" }, board); // each cell says what stands at its sides
  function edge(r, c, right) {
    const x = (right ? c + 1 : c) * CELL, y = (right ? r : r + 1) * CELL;
    const place = svg("g", { class: "place edge", "data-edge": edges.length }, sidings);
    svg("rect", right ? { class: "reach", x: x - REACH, y: y + 6, width: 2 * REACH, height: CELL - 12 }
      : { class: "reach", x: x + 6, y: y - REACH, width: CELL - 12, height: 2 * REACH }, place);
    svg("line", { class: "wall", x1: x, y1: y, x2: right ? x : x + CELL, y2: right ? y + CELL : y }, place);
    const mx = right ? x : x + CELL / 2, my = right ? y + CELL / 2 : y;
    svg("path", { class: "open", d: `M${mx - 4} ${my - 4}l8 8M${mx + 4} ${my - 4}l-8 8` }, place);
    edges.push(place);
  }
  if (walls) {
    for (let r = 0; r < rows; r++) for (let c = 0; c + 1 < cols; c++) edge(r, c, true);
    for (let r = 0; r + 1 < rows; r++) for (let c = 0; c < cols; c++) edge(r, c, false);
  }
  const places = walls ? edges : cells; // what is marked, by number

  function edgeBeside(r, c, [dr, dc]) {
    if (r + dr < 0 || r + dr >= rows || c + dc < 0 || c + dc >= cols) return -1;
    if (dc !== 0) return r * (cols - 1) + Math.min(c, c + dc);
    return rows * (cols - 1) + Math.min(r, r + dr) * cols + c;
  }

  // marks

  function show() {
    const told = model.get("told");
    const { wrong = {}, because = {}, therefore = {}, heat = [], message = "", inside = [], solved = false } = told;
    const has = (shown, kind, i) => (shown[kind] || []).includes(i);
    places.forEach((place, i) => CLASSES.forEach((name, value) => name && place.classList.toggle(name, marks[i] === value)));
    for (const [kind, nodes] of [["cells", cells], ["walls", edges]]) {
      nodes.forEach((place, i) => {
        place.classList.toggle("wrong", has(wrong, kind, i));
        place.classList.toggle("because", has(because, kind, i));
        place.classList.toggle("therefore", has(therefore, kind, i));
      });
    }
    cells.forEach((place, i) => {
      const clue = clues[i] ? `, clue ${clues[i]}` : "";
      const mark = walls ? sides(i) : `, ${NAMES.cells[marks[i]]}`;
      const fault = place.classList.contains("wrong") ? ", breaks a rule" : "";
      place.setAttribute("aria-label", `${names[i]}${clue}${mark}${fault}`);
      place.setAttribute("tabindex", i === cursor ? "0" : "-1");
      place.querySelector(".heat").setAttribute("fill-opacity", !walls && heat.length ? 0.75 * heat[i] : 0);
    });
    edges.forEach((place, i) => {
      place.querySelector(".wall").style.cssText = heat.length ? `stroke: var(--heat); stroke-opacity: ${heat[i]}` : "";
    });
    telling.replaceChildren(html("p", {}, message));
    if (inside.length) {
      const chain = html("ol");
      chain.append(...inside.map((sentence) => html("li", {}, sentence)));
      telling.append(chain);
    }
    telling.classList.toggle("solved", solved);
    const step = told.step ?? 0; // the last one that was taken
    slider.value = step;
    slider.setAttribute("aria-valuetext", step ? `step ${step} of ${steps}, ${told.rung}` : `before the first of ${steps} steps`);
    where.textContent = step ? `${step} of ${steps} · ${told.rung}` : `${steps} steps`;
    buttons.Undo.disabled = past.length === 0;
    buttons.Redo.disabled = future.length === 0;
    buttons.Clear.disabled = marks.every((mark) => mark === UNKNOWN);
  }

  function sides(i) {
    const r = Math.floor(i / cols), c = i % cols, said = [];
    for (const [name, step] of [["above", [-1, 0]], ["right", [0, 1]], ["below", [1, 0]], ["left", [0, -1]]]) {
      const e = edgeBeside(r, c, step);
      if (e < 0 || marks[e] !== UNKNOWN) said.push(`${name} ${e < 0 ? "wall" : NAMES.walls[marks[e]]}`);
    }
    return said.length ? `, ${said.join(", ")}` : "";
  }

  function send() {
    model.set("marks", marks);
    model.save_changes();
    show();
  }

  function change(next) {
    if (next.every((mark, i) => mark === marks[i])) return;
    past.push(marks);
    future.length = 0;
    marks = next;
    send();
  }

  const fixed = (i) => !walls && clues[i] !== "";

  function mark(i, value) {
    if (i < 0 || (fixed(i) && value === SHADED)) return;
    const next = [...marks];
    next[i] = value;
    change(next);
  }

  function following(i) {
    if (fixed(i)) return UNKNOWN;
    return marks[i] === UNKNOWN ? SHADED : marks[i] === SHADED ? UNSHADED : UNKNOWN;
  }

  function undo() {
    if (!past.length) return;
    future.push(marks);
    marks = past.pop();
    send();
  }

  function redo() {
    if (!future.length) return;
    past.push(marks);
    marks = future.pop();
    send();
  }

  // pointer: the first place decides what the whole drag paints

  function placeAt(event) {
    const node = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-cell], [data-edge]");
    if (!node || !board.contains(node)) return -1;
    if (node.dataset.cell !== undefined) return walls ? -1 : Number(node.dataset.cell);
    return Number(node.dataset.edge);
  }

  board.addEventListener("pointerdown", (event) => {
    const cell = event.target.closest("[data-cell]");
    if (cell) focus(Number(cell.dataset.cell));
    const i = placeAt(event);
    if (i < 0 || (event.button !== 0 && event.button !== 2)) return;
    event.preventDefault();
    const value = event.button === 2 ? (marks[i] === UNSHADED ? UNKNOWN : UNSHADED) : following(i);
    painting = { value };
    mark(i, value);
  });
  board.addEventListener("pointermove", (event) => {
    if (!painting) return;
    const i = placeAt(event);
    if (i >= 0 && marks[i] !== painting.value && !fixed(i)) mark(i, painting.value);
  });
  const release = () => { painting = null; };
  window.addEventListener("pointerup", release);
  window.addEventListener("pointercancel", release);
  board.addEventListener("contextmenu", (event) => event.preventDefault());

  // keyboard

  function focus(cell) {
    cells[cursor].setAttribute("tabindex", "-1");
    cursor = cell;
    cells[cursor].setAttribute("tabindex", "0");
    cells[cursor].focus({ preventScroll: true });
  }

  root.addEventListener("keydown", (event) => {
    event.stopPropagation(); // JupyterLab has other plans for single letters
    const step = ARROWS[event.key];
    const onBoard = board.contains(document.activeElement);
    const letter = event.key.toLowerCase();
    if (event.altKey || (event.metaKey && letter !== "z")) return;
    if ((event.ctrlKey || event.metaKey) && letter === "z") (event.shiftKey ? redo : undo)();
    else if (event.ctrlKey) return;
    else if (onBoard && step) {
      const r = Math.floor(cursor / cols), c = cursor % cols;
      if (event.shiftKey && walls) {
        const e = edgeBeside(r, c, step);
        if (e >= 0) mark(e, following(e));
      } else if (r + step[0] >= 0 && r + step[0] < rows && c + step[1] >= 0 && c + step[1] < cols) {
        focus(cursor + step[0] * cols + step[1]);
      }
    } else if (onBoard && !walls && event.key === " ") mark(cursor, marks[cursor] === SHADED ? UNKNOWN : SHADED);
    else if (onBoard && !walls && letter === "x") mark(cursor, marks[cursor] === UNSHADED ? UNKNOWN : UNSHADED);
    else if (onBoard && !walls && (event.key === "Delete" || event.key === "Backspace")) mark(cursor, UNKNOWN);
    else if (letter === "u") undo();
    else if (asks.includes(LETTERS[letter])) model.send({ ask: LETTERS[letter] });
    else return;
    event.preventDefault();
  });

  // the model

  function changed() {
    const next = model.get("marks");
    if (next.every((value, i) => value === marks[i])) return;
    past.push(marks);
    future.length = 0;
    marks = [...next];
    show();
  }
  model.on("change:marks", changed);
  model.on("change:told", show);

  root.append(toolbar, board, ...(steps ? [stepped] : []), telling, keys);
  el.appendChild(root);
  show();
  return () => {
    model.off("change:marks", changed);
    model.off("change:told", show);
    window.removeEventListener("pointerup", release);
    window.removeEventListener("pointercancel", release);
  };
}

export default { render };
