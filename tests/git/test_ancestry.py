"""How a commit is related to HEAD, in whole clones and where a clone was cut."""

from sitemap_plugins.git.repository import find_merge_base, is_in_history
from tests.conftest import Repository


def test_head_its_ancestors_and_others(repository: Repository) -> None:
    first = repository.commit("2026-01-01T10:00:00Z")
    second = repository.commit("2026-01-02T10:00:00Z")
    repository.git("checkout", "--quiet", "-b", "other", first)
    other = repository.commit("2026-01-03T10:00:00Z", "on a branch")
    folder = str(repository.path)
    assert [is_in_history(folder, each) for each in (first, second, other, "a" * 40)] == [True, False, True, False]
    assert [find_merge_base(folder, each) for each in (first, second, other, "a" * 40)] == [first, first, other, None]


def test_a_clone_of_one_commit_knows_its_parents(repository: Repository) -> None:
    first = repository.commit("2026-01-01T10:00:00Z", "a\n\nparent of nothing")
    second = repository.commit("2026-01-02T10:00:00Z", f"b\n\nparent {'b' * 40}")
    third = repository.commit("2026-01-03T10:00:00Z", f"c\n\nparent {'c' * 40}")
    (repository.path / ".git" / "shallow").write_text(f"{third}\n", encoding="ascii")
    folder = str(repository.path)
    candidates = (first, second, third, "b" * 40, "c" * 40)
    assert [is_in_history(folder, each) for each in candidates] == [False, True, True, False, False]
    assert find_merge_base(folder, second) is None


def test_without_a_repository_or_a_commit(repository: Repository) -> None:
    assert not is_in_history(str(repository.path), "a" * 40)
    assert not is_in_history(str(repository.path.parent), "a" * 40)
