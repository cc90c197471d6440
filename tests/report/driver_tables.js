"use strict";
{
	const table = document.querySelector("#table-rows"), section = document.querySelector("#rows");
	const head = (key) => [...table.tHead.rows[0].cells].find((th) => th.textContent === key);
	const filter = (key) => section.querySelector(`input[aria-label="Filter ${key}"]`);
	const search = section.querySelector("input[type=search]"), clear = [...section.querySelectorAll("button")].find((b) => b.textContent === "Clear");
	const found = { start: { count: section.querySelector("[role=status]").textContent, numbers: shown(table, "row") }, aria: [], filters: {} };

	const click = () => {
		head("makespan_s").querySelector("button").click();
		found.aria.push(head("makespan_s").getAttribute("aria-sort"));
		return shown(table, "makespan_s");
	};
	found.up = click();
	found.down = click();
	click();
	found.third = shown(table, "row");
	head("workload").querySelector("button").click();
	found.workloads = shown(table, "workload");
	head("workload").querySelector("button").click();
	head("workload").querySelector("button").click();

	const byColumn = (what, key, text) => {
		type(filter(key), text);
		found.filters[what] = shown(table, "row");
		const bad = filter(key).classList.contains("bad");
		type(filter(key), "");
		return bad;
	};
	byColumn("dm above policy", "policy", "dm");
	byColumn("=eager above policy", "policy", "=eager");
	byColumn("!~dm above policy", "policy", "!~dm");
	byColumn("100MiB above gpu_mem_bytes", "gpu_mem_bytes", "100MiB");
	found.marked = [byColumn("nonsense after >", "makespan_s", ">many"), byColumn("0.05..0.2 above makespan_s", "makespan_s", "0.05..0.2")];

	const bySearch = (what, text) => {
		type(search, text);
		found.filters[what] = shown(table, "row");
	};
	bySearch("a word", "NT=10");
	bySearch("policy=dmdas,lws", "policy=dmdas,lws");
	bySearch("two conditions", "policy!=eager makespan_s<0.1");
	bySearch("a quoted workload", 'workload="cholesky:nt=6"');
	clear.click();
	const means = document.querySelector("#table-means");
	found.means = means.tBodies[0].rows.length;
	means.tBodies[0].querySelector("a").click();
	found.filters["the link of a point"] = shown(table, "row");
	document.querySelector("a[data-filter]").click();
	found.filters["the link of failures"] = shown(table, "row");
	clear.click();
	found.filters.cleared = shown(table, "row");

	const box = [...section.querySelectorAll(".columns label")].find((label) => label.textContent.trim() === "identity").querySelector("input");
	found.hidden = [getComputedStyle(head("identity")).display];
	box.click();
	found.hidden.push(getComputedStyle(head("identity")).display);
	tell(found);
}
