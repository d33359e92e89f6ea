from concurrent.futures import ThreadPoolExecutor

state = []
with ThreadPoolExecutor(max_workers=1, initializer=state.append, initargs=("ready",)) as pool:
    pool.submit(state.append, "work").result()
print(state)

#| ['ready', 'work']
