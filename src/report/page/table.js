// Tables that sort and filter. Without this script they are plain tables, as the page contains all rows.
"use strict";

const make = (name, properties, ...children) => {
	const element = Object.assign(document.createElement(name), properties);
	element.append(...children);
	return element;
};

// Parses "500MiB", "2g", "1e3" or "−5" to a number; otherwise NaN. Names of units are those of the command.
const units = { K: 1e3, M: 1e6, G: 1e9, T: 1e12, KI: 2 ** 10, MI: 2 ** 20, GI: 2 ** 30, TI: 2 ** 40, "%": 0.01 };
const toNumber = (text) => {
	const parts = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(?:([KMGT]i?)B?|(%))?\s*$/i.exec(text.replace("−", "-"));
	const unit = (parts?.[2] ?? parts?.[3])?.toUpperCase();
	return parts ? Number(parts[1]) * (unit ? units[unit] : 1) : NaN;
};

// Whether two numbers are equal in the digits shown: the table shows six digits of numbers that are not integers.
const isNear = (a, b) => a === b || (!Number.isInteger(a) && Math.abs(a - b) <= 5e-6 * Math.max(Math.abs(a), Math.abs(b)));

const equals = (value, wanted) => {
	const a = toNumber(value), b = toNumber(wanted);
	return Number.isNaN(a) || Number.isNaN(b) ? value.toLowerCase() === wanted.toLowerCase() : isNear(a, b);
};

// Returns the alternatives in a condition: "a,b" means a or b. A comma in quotes is part of a value.
const alternatives = (text) => (text.match(/"[^"]*"|[^,]+/g) ?? [""]).map((one) => one.replace(/^"(.*)"$/, "$1"));

// Returns a test of one value for a condition such as `>5`; null if the condition is malformed, as `>` alone.
const comparison = (operator, text) => {
	const number = toNumber(text), wanted = alternatives(text);
	const contains = (value) => wanted.some((one) => value.toLowerCase().includes(one.toLowerCase()));
	switch (operator) {
	case "=": return (value) => wanted.some((one) => equals(value, one));
	case "!=": return (value) => !wanted.some((one) => equals(value, one));
	case "~": return contains;
	case "!~": return (value) => !contains(value);
	}
	if (Number.isNaN(number))
		return null;
	const compare = {
		"<": (a) => a < number, ">": (a) => a > number, "<=": (a) => a <= number || isNear(a, number), ">=": (a) => a >= number || isNear(a, number),
	}[operator];
	return (value) => compare(toNumber(value));
};

// Parses the filter of a column: "dm" (contains), "=eager,dmdas", ">5", "5..8", "!=0", "!~lws". In a numeric column, a
// number alone means "=".
const columnFilter = (text, isNumeric) => {
	const parts = /^\s*(!=|!~|<=|>=|=|<|>|~)?\s*(.*?)\s*$/.exec(text), range = /^(.+?)\.\.(.+)$/.exec(parts[2]);
	if (!parts[1] && range && !Number.isNaN(toNumber(range[1])) && !Number.isNaN(toNumber(range[2]))) {
		const low = comparison(">=", range[1]), high = comparison("<=", range[2]);
		return (value) => low(value) && high(value);
	}
	return comparison(parts[1] ?? (isNumeric && !Number.isNaN(toNumber(parts[2])) ? "=" : "~"), parts[2]);
};

class DataTable {
	constructor(table) {
		this.table = table;
		this.body = table.tBodies[0];
		this.heads = [...table.tHead.rows[0].cells];
		this.keys = this.heads.map((th) => th.textContent);
		this.numeric = this.heads.map((th) => th.classList.contains("n"));
		this.rows = [...this.body.rows];
		this.order = this.rows.map((_, i) => i);
		this.cache = [];
		this.filters = this.keys.map(() => null);
		this.query = [];
		this.sorted = { column: -1, down: false };
		this.limit = 100;
		this.build(table.id.replace("table-", ""));
		this.update();
	}

	// Returns the values of column c as in the file; the table's cells may show fewer digits.
	column(c) {
		return this.cache[c] ??= this.rows.map((row) => row.cells[c].dataset.v ?? row.cells[c].textContent);
	}

	build(name) {
		const box = this.table.parentElement;
		this.search = make("input", { type: "search", className: "search", placeholder: `search, as in  ${this.example()}` });
		this.search.setAttribute("aria-label", `Search in ${name}: words, or conditions on columns such as ${this.example()}`);
		this.search.addEventListener("input", () => this.setQuery(this.search.value));
		this.count = make("p", {});
		this.count.setAttribute("role", "status");
		const clear = make("button", { type: "button", textContent: "Clear" });
		clear.addEventListener("click", () => this.clear());
		box.before(make("p", { className: "note", textContent: this.table.caption.textContent }),
			make("div", { className: "controls" }, this.search, clear, this.chooser(), this.count));
		this.more = make("button", { type: "button" });
		this.more.addEventListener("click", () => { this.limit *= 10; this.show(); });
		this.moreBox = make("div", { className: "more" }, this.more);
		box.after(this.moreBox);
		box.classList.add("tall");
		box.tabIndex = 0; // so that the keyboard can scroll the table
		box.setAttribute("role", "region");
		box.setAttribute("aria-label", `Table of ${name}`);
		this.buildHead();
	}

	example() {
		const number = this.keys.find((key) => key === "makespan_s") ?? this.keys.find((_, c) => this.numeric[c]);
		return [this.keys.includes("policy") ? "policy=dmdas" : "", number ? `${number}<2` : ""].filter(Boolean).join(" ");
	}

	buildHead() {
		const line = make("tr", { className: "filters" });
		this.inputs = this.keys.map((key, c) => {
			const button = make("button", { type: "button" }, ...this.heads[c].childNodes);
			button.addEventListener("click", () => this.sort(c));
			this.heads[c].append(button);
			this.heads[c].setAttribute("aria-sort", "none");
			const input = make("input", { type: "text", title: "dm   =eager,dmdas   >5   5..8   !=0" });
			input.setAttribute("aria-label", `Filter ${key}`);
			input.addEventListener("input", () => this.setFilter(c, input.value));
			line.append(make("th", {}, input));
			return input;
		});
		this.table.tHead.append(line);
	}

	// Makes the list in which users show and hide columns. Columns of little use are hidden at first.
	chooser() {
		const hidden = new Set(this.table.dataset.hidden.split(" "));
		const style = document.head.appendChild(make("style", {}));
		const list = make("div", {});
		const apply = () => {
			style.textContent = this.keys.map((key, c) => hidden.has(key) ? `#${this.table.id} tr > :nth-child(${c + 1}) { display: none; }` : "").join("\n");
		};
		this.keys.forEach((key) => {
			const box = make("input", { type: "checkbox", checked: !hidden.has(key) });
			box.addEventListener("change", () => { hidden[box.checked ? "delete" : "add"](key); apply(); });
			list.append(make("label", {}, box, ` ${key}`));
		});
		apply();
		return make("details", { className: "columns" }, make("summary", { textContent: "Columns" }), list);
	}

	// Takes the text of the search: words separated by blanks. A word `column=value` is a condition if that column
	// exists; any other word is text to find anywhere in the row.
	setQuery(text) {
		let good = true;
		this.query = (text.match(/(?:"[^"]*"|[^\s"])+/g) ?? []).map((word) => {
			const parts = /^(\w+)(!=|!~|<=|>=|=|<|>|~)(.*)$/.exec(word), c = parts ? this.keys.indexOf(parts[1]) : -1;
			if (c >= 0) {
				const test = comparison(parts[2], parts[3].replace(/^"([^",]*)"$/, "$1"));
				good &&= test !== null;
				return test ? (i) => test(this.column(c)[i]) : () => true;
			}
			const wanted = word.replaceAll('"', "").toLowerCase();
			return (i) => this.keys.some((_, k) => this.column(k)[i].toLowerCase().includes(wanted));
		});
		this.search.classList.toggle("bad", !good);
		this.update();
	}

	setFilter(c, text) {
		this.filters[c] = text.trim() ? columnFilter(text, this.numeric[c]) : null;
		this.inputs[c].classList.toggle("bad", text.trim() !== "" && this.filters[c] === null);
		this.update();
	}

	clear() {
		this.search.value = "";
		this.inputs.forEach((input, c) => { input.value = ""; this.filters[c] = null; input.classList.remove("bad"); });
		this.setQuery("");
	}

	// Sorts by column c: at the first click up, then down, then in the file's order. Sorting is stable, so users
	// can sort by several columns in turn.
	sort(c) {
		const { column, down } = this.sorted, values = this.column(c), collator = new Intl.Collator("en", { numeric: true });
		this.heads.forEach((th) => th.setAttribute("aria-sort", "none"));
		if (column === c && down) {
			this.sorted = { column: -1, down: false };
			this.order.sort((a, b) => a - b);
		} else {
			const sign = column === c ? -1 : 1, numbers = this.numeric[c] ? values.map(toNumber) : null;
			this.sorted = { column: c, down: sign < 0 };
			this.heads[c].setAttribute("aria-sort", sign < 0 ? "descending" : "ascending");
			this.order.sort((a, b) => {
				if (!numbers)
					return sign * collator.compare(values[a], values[b]);
				const [x, y] = [numbers[a], numbers[b]];
				return Number.isNaN(x) || Number.isNaN(y) ? Number.isNaN(x) - Number.isNaN(y) : sign * (x - y); // missing values last
			});
		}
		this.show();
	}

	update() {
		this.limit = 100;
		this.kept = this.rows.map((_, i) => this.query.every((test) => test(i)) && this.filters.every((test, c) => !test || test(this.column(c)[i])));
		this.show();
	}

	show() {
		const found = this.order.filter((i) => this.kept[i]), shown = found.slice(0, this.limit);
		this.body.replaceChildren(...shown.map((i) => this.rows[i]));
		const text = (n) => n.toLocaleString("en");
		this.count.textContent = `${text(found.length)} of ${text(this.rows.length)} rows` + (shown.length < found.length ? `, the first ${text(shown.length)} shown` : "");
		this.moreBox.hidden = shown.length === found.length;
		this.more.textContent = `Show ${text(Math.min(found.length, this.limit * 10) - shown.length)} more`;
	}
}

const tables = {};
for (const table of document.querySelectorAll("table.data"))
	tables[table.id] = new DataTable(table);

document.documentElement.classList.add("ready");

// Links in other sections show the rows that the section mentions: a click sets the search of the table of rows.
const showRows = (query) => {
	tables["table-rows"].clear();
	tables["table-rows"].search.value = query;
	tables["table-rows"].setQuery(query);
};
for (const link of document.querySelectorAll("a[data-filter]"))
	link.addEventListener("click", () => showRows(link.dataset.filter));

// In the table of means, the number of a point's runs becomes a link to their rows.
if (tables["table-means"]) {
	const means = tables["table-means"], last = means.keys.indexOf("runs");
	means.rows.forEach((row, i) => {
		const cell = row.cells[last], query = means.keys.slice(0, last).map((key, c) => `${key}="${means.column(c)[i]}"`).join(" ");
		const link = make("a", { href: "#rows", textContent: cell.textContent, title: "show these rows" });
		link.addEventListener("click", () => showRows(query));
		means.column(last)[i] = cell.textContent;
		cell.replaceChildren(link);
	});
}
