import threading

local = threading.local()
local.value = "main"
seen = {}


def work(name):
    seen[name] = hasattr(local, "value")
    local.value = name
    seen[name + "!"] = local.value


threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(seen.items()), local.value)

#| [('a', False), ('a!', 'a'), ('b', False), ('b!', 'b')] main
