// Instead of modules that need sockets or files, and that the sandbox loads only with options or paths that it does not have in a page.
throw new Error("this part of the sandbox does not run in a page");
