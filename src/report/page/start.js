// Runs in the head: hides table rows until the scripts are ready, so that large tables are not laid out repeatedly
// while they load.
document.documentElement.classList.add("js");
