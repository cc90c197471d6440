// In the page's head: tables stay away until they are made to sort, so that great ones are not laid out again and again as they come.
document.documentElement.classList.add("js");
