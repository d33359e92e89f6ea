import threading

idents = set()
threads = [threading.Thread(target=lambda: idents.add(threading.get_ident())) for _ in range(3)]
for thread in threads:
    thread.start()
    thread.join()
print(threading.get_ident() in idents, all(isinstance(ident, int) for ident in idents))
print([thread.ident is not None for thread in threads], threading.Thread().ident)

#| False True
#| [True, True, True] None
