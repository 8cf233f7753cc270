// A draft of tables of three and more: the first name that is tapped says at every other name what a
// swap would cost, the second one swaps. Where "More" is open, names are collected for its buttons.
"use strict";

{
  const form = document.querySelector(".draft-form[data-usual]");
  const bar = form?.querySelector(".draft-bar");
  const boxes = [...(form?.querySelectorAll("input[name=player]") || [])];
  const more = form?.querySelector(".draft-more");
  const filled = (sentence, values) => sentence.replace(/%\((\w+)\)s/g, (_all, name) => values[name] ?? "");
  const rowOf = (box) => box.closest("tr");
  const companyOf = (row) => (row ? [...row.querySelectorAll("input[name=player]")] : []);
  const tableOf = (row) => row?.querySelector(".number-cell").textContent.trim().split(/\s+/).pop() || "–";
  const pointsOf = (box) => { const [parts, whole] = (box.dataset.points || "0").split("/"); return parts / (whole || 1); };
  const haveMet = (one, other) => one.dataset.met.split(" ").some((pair) => pair.split("=")[0] === other.value);
  const areApart = (one, other) => one.dataset.apart.split(" ").includes(other.value);
  const pairsOf = (table) => table.flatMap((one, at) => table.slice(at + 1).map((other) => [one, other]));
  const gapOf = (table) => Math.max(...table.map(pointsOf)) - Math.min(...table.map(pointsOf));
  const shown = (points) => String(Math.round(points * 100) / 100);

  // Returns what it costs that two players change seats, the worst of it first: { tone, words }.
  function cost(first, second) {
    const swapped = (box) => (box === first ? second : box === second ? first : box);
    const tables = [rowOf(first), rowOf(second)].map((row) => companyOf(row).map(swapped)).filter((table) => table.length > 1);
    const pairs = tables.flatMap(pairsOf);
    const again = pairs.filter(([one, other]) => haveMet(one, other)).length;
    if (again) return { tone: "no", words: filled(bar.dataset.pairs, { count: again }) };
    if (pairs.some(([one, other]) => areApart(one, other))) return { tone: "no", words: bar.dataset.apart };
    const small = tables.filter((table) => table.length < Number(form.dataset.usual)).flat();
    if (small.some((box) => "small" in box.dataset)) return { tone: "no", words: bar.dataset.again };
    if (Math.abs(pointsOf(first) - pointsOf(second)) <= 1) return { tone: "ok", words: bar.dataset.free };
    return { tone: "", words: filled(bar.dataset.gap, { points: shown(Math.max(...tables.map(gapOf))) }) };
  }

  function show() {
    const chosen = boxes.filter((box) => box.checked);
    const first = chosen.length === 1 ? chosen[0] : null;
    bar.querySelector(".draft-told").textContent = first ? filled(bar.dataset.picked, { name: first.dataset.name, table: tableOf(rowOf(first)) }) : "";
    boxes.forEach((box) => {
      const beside = first && box !== first && rowOf(box) === rowOf(first);
      const { tone, words } = !first || beside ? { tone: "", words: "" } : box === first ? { tone: "", words: bar.dataset.chosen } : cost(first, box);
      box.parentElement.classList.toggle("free", tone === "ok");
      box.parentElement.classList.toggle("worse", tone === "no");
      box.parentElement.querySelector(".price").textContent = words;
    });
    if (chosen.length === 2 && !more.open) form.querySelector("button[value=swap]").click();
  }

  // --- The keyboard's way ---------------------------------------------------------------------
  const line = document.getElementById("draft-seats");
  const field = document.getElementById("draft-line");
  const rowAt = (table) => [...form.querySelectorAll("tr")].find((row) => row.querySelector(".number-cell") && tableOf(row) === table);
  const boxAt = (table, seat) => companyOf(rowAt(table))[seat - 1];

  // Each way: what is typed, and what it asks for: { words, action, ticked, players in order }.
  const ways = [
    [/^(\d+)[.:](\d)[\s-]+(\d+)[.:](\d)$/, (one, first, other, second) => {
      const ticked = [boxAt(one, first), boxAt(other, second)];
      if (!ticked[0] || !ticked[1]) return null;
      if (rowOf(ticked[0]) === rowOf(ticked[1])) return { words: line.dataset.same };
      const names = { one: ticked[0].dataset.name, other: ticked[1].dataset.name };
      return { words: filled(line.dataset.swap, { ...names, cost: cost(...ticked).words }), action: "swap", ticked };
    }],
    [/^(\d+)[.:](\d)\s*>\s*(\d+)$/, (one, seat, other) => {
      const ticked = [boxAt(one, seat), rowAt(other)?.querySelector("input[name=match]")];
      if (!ticked[0] || !ticked[1]) return null;
      return { words: filled(line.dataset.move, { name: ticked[0].dataset.name, table: other }), action: "move", ticked };
    }],
    [/^(\d+)\s+([1-5]{2,5})$/, (table, order) => {
      const company = companyOf(rowAt(table));
      if ([...order].sort().join("") !== company.map((_box, at) => at + 1).join("")) return undefined;
      const players = [...order].map((seat) => company[seat - 1]);
      return { words: filled(line.dataset.order, { table, names: players.map((box) => box.dataset.name).join(", ") }), action: "order", players };
    }],
    [/^(\d+)\s+(\d+)$/, (one, other) => {
      const ticked = [one, other].map((table) => rowAt(table)?.querySelector("input[name=match]"));
      if (!ticked[0] || !ticked[1]) return null;
      if (one === other) return { words: line.dataset.same };
      return { words: filled(line.dataset.tables, { one, other }), action: "table", ticked };
    }],
  ];

  function asked() {
    for (const [typed, way] of ways) {
      const found = field.value.trim().match(typed);
      const wanted = found && way(...found.slice(1));
      if (wanted || wanted === null && found) return wanted || { words: line.dataset.none };
    }
    return { words: "" };
  }

  function act({ action, ticked = [], players = [] }) {
    form.querySelectorAll("input[type=checkbox]").forEach((box) => { box.checked = ticked.includes(box); });
    players.forEach((box) => {
      const hidden = Object.assign(document.createElement("input"), { type: "hidden", name: "player", value: box.value });
      form.append(hidden);
    });
    form.querySelector("[name=table]").value = "";
    form.querySelector(`button[value=${action}]`).click();
  }

  if (bar) {
    form.addEventListener("change", (event) => { if (event.target.name === "player") show(); });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      boxes.forEach((box) => { box.checked = false; });
      field.value = "";
      show();
    });
    line.hidden = false;
    if (window.matchMedia("(pointer: fine)").matches && document.activeElement === document.body) field.focus({ preventScroll: true });
    field.addEventListener("input", () => { document.getElementById("draft-line-said").textContent = asked().words; });
    line.addEventListener("submit", (event) => {
      event.preventDefault();
      const wanted = asked();
      if (wanted.action) act(wanted);
      else field.select();
    });
  }
}
