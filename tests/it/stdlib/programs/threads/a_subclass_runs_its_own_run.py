import threading


class Squares(threading.Thread):
    def __init__(self, numbers):
        super().__init__()
        self.numbers = numbers
        self.total = 0

    def run(self):
        self.total = sum(n * n for n in self.numbers)


workers = [Squares(range(i * 10, i * 10 + 10)) for i in range(3)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
print([worker.total for worker in workers])

#| [285, 2185, 6085]
