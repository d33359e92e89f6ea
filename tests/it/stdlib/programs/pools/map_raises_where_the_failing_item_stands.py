from concurrent.futures import ThreadPoolExecutor

with ThreadPoolExecutor() as pool:
    results = pool.map(lambda n: 10 // n, [5, 2, 0, 1])
    try:
        for result in results:
            print(result)
    except ZeroDivisionError as error:
        print("stopped:", error)

#| 2
#| 5
#| stopped: integer division or modulo by zero
