"""The worker: the class that Ray starts as a process of its own."""

from __future__ import annotations

from typing import Any


class Worker:
    """Plays batches and does tasks.

    Ray sends this class as code, not by name, and it imports nothing of ours until `enter`. Ray puts the driver's
    working directory in front of the path of each worker. There a worker would import another `tag` if the driver runs
    an installed one beside a checkout.
    """

    def place(self) -> tuple[str, str]:
        """Return the node's address and Ray's number of it, also where nothing of ours is installed."""
        import ray  # noqa: PLC0415  Ray sends this class as code

        self._address: str = ray.util.get_node_ip_address()  # type: ignore[no-untyped-call]
        return self._address, ray.get_runtime_context().get_node_id()

    def enter(
        self, path: list[str], foreign: list[str], sources: dict[str, str], models: dict[str, Any]
    ) -> tuple[dict[str, str], str, int, int]:
        """Prepare to play, after `place`, and describe this worker.

        Args:
            path: the driver's path for imports, if it is good here too; else empty.
            foreign: the entries that Ray added in front of the path although the driver does not have them.
            sources: the text of users' files and the digests of models, by name.
            models: the contents of models by name, in Ray's store, for nodes that do not have them.

        Returns:
            What is installed (`tag.catalogue.version.installation`), the processor, how many cores it may use, and the
            process's number.
        """
        import gc  # noqa: PLC0415  imports have to follow the path
        import os  # noqa: PLC0415
        import sys  # noqa: PLC0415

        sys.path[:] = path or sys.path
        for entry in foreign:
            if entry in sys.path:
                sys.path.remove(entry)

        from tag.catalogue.version import installation  # noqa: PLC0415
        from tag.cluster.batches import cores, play_batch, processor  # noqa: PLC0415

        self._kept: dict[str, str] = {}
        self.provide(sources, models)
        self._play_batch = play_batch
        gc.freeze()  # modules imported so far stay: the collector need not search them again
        return installation(), processor(), cores(), os.getpid()

    def provide(self, sources: dict[str, str], models: dict[str, Any]) -> None:
        """Store the text of users' files by name, and the models that this node lacks."""
        import ray  # noqa: PLC0415  as above

        from tag.catalogue.models import is_here, keep  # noqa: PLC0415  as above
        from tag.catalogue.user_code import provide_source  # noqa: PLC0415  as above
        from tag.orders import forget_user_code  # noqa: PLC0415  as above

        for name, content in models.items():
            if not is_here(name, sources[name]):
                keep(sources[name], ray.get(content))
                self._kept[name] = sources[name]
        if any([provide_source(file, text) for file, text in sources.items()]):
            forget_user_code()

    def forget(self, names: list[str]) -> None:
        """Forget users' files and models, and remove the models that this worker has stored."""
        from tag.catalogue.models import drop  # noqa: PLC0415  as above
        from tag.catalogue.user_code import withdraw_source  # noqa: PLC0415  as above

        for name in names:
            withdraw_source(name)
            if name in self._kept:
                drop(self._kept.pop(name))

    def measure(self, game: str, players: int) -> Any:
        """Return how fast this worker plays: `tag.cluster.batches.worker_speed`."""
        from tag.cluster.batches import worker_speed  # noqa: PLC0415  imports have to follow the path

        return worker_speed(game, players, self._address)

    def play(self, columns: Any) -> Any:
        """Play a batch: `tag.cluster.batches.play_batch`."""
        return self._play_batch(columns)

    def do(self, task: Any) -> Any:
        """Do a task: `tag.cluster.batches.do_task`."""
        from tag.cluster.batches import Task, do_task  # noqa: PLC0415  imports have to follow the path

        return do_task(Task(*task))
