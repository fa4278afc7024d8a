"""Rules of the search, each on a small index of its own, in the browser that runs them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from samples import ROOT

from tensor_atlas.pages.search_page import ERRORS, EXAMPLE, GUIDE, SearchPage, Wording, render_script
from tensor_atlas.site.search.search_index import list_choices

SCRIPT = ROOT / "src/tensor_atlas/site/search/static/atlas-search.js"
GRAD = SearchPage(
    "e/numpy_requires_grad", "Tensor that requires grad", ERRORS, fix="Detach it.", code="x.detach()"
)
CUDA = SearchPage(
    "e/cuda_to_numpy", "CUDA tensor to NumPy", ERRORS, tags="cuda", fix="Copy it.", code="x.cpu()"
)
NONE = SearchPage("e/collate_none", "Batch holds a NoneType", ERRORS, tags="dataloader", fix="Leave it out.")
TEXT = SearchPage("x/collate_refusals", "What collate refuses", EXAMPLE, tags="dataloader")
OBJECT = SearchPage("e/object_array", "Object arrays", ERRORS, fix="Cast it.")
UINT16 = SearchPage("x/unsigned_gaps", "Gaps of the unsigned dtypes", EXAMPLE, tags="dtype")
CUPY = SearchPage("x/cupy_arrays", "Sharing GPU memory with CuPy", EXAMPLE, tags="cuda, cupy")
FROM = SearchPage(
    "x/from_numpy",
    "Sharing memory with from_numpy",
    EXAMPLE,
    "Whether a tensor is a view.",
    names="torch.from_numpy",
)
VIEWS = SearchPage(
    "x/two_views", "Sharing memory with numpy", EXAMPLE, "Whether an array shares.", names="numpy"
)
REBOUND = SearchPage("x/in_place_or_rebound", "In place or rebound", EXAMPLE, "Which updates a tensor sees.")
TO_PILLOW = SearchPage("x/pillow_from_floats", "From tensor to Pillow", EXAMPLE, tags="pillow")
FROM_PILLOW = SearchPage("x/pillow_images", "From Pillow to tensor", EXAMPLE, tags="pillow")
STATISTICS = SearchPage(
    "x/statistics_defaults", "Other defaults in statistics", EXAMPLE, "Make `std` agree.", names="np.std"
)
WORKERS = SearchPage(
    "x/lists_in_workers", "Lists grow in workers", EXAMPLE, "Memory of a dataset.", tags="dataloader"
)
FORMAT = SearchPage("x/formatted_datasets", "Formats of a dataset", EXAMPLE, names="set_format with_format")
IMAGES = SearchPage(
    "x/imshow_channels", "Images for imshow", EXAMPLE, "A different map of colours.", tags="matplotlib"
)
GUIDES = SearchPage(
    "guides/memory", "The memory model", GUIDE, "Arrays and tensors.", headings="Bytes. Proof of sharing"
)
PAGES = (
    GRAD, CUDA, NONE, TEXT, OBJECT, UINT16, CUPY, FROM, VIEWS, REBOUND, TO_PILLOW, FROM_PILLOW, STATISTICS,
    WORKERS, FORMAT, IMAGES, GUIDES,
)  # fmt: skip
CUDA_TEXT = (
    "can't convert cuda:0 device type tensor to numpy. "
    "Use Tensor.cpu() to copy the tensor to host memory first."
)
GRAD_TEXT = "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
BATCH = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found "
TYPES = "can't convert np.ndarray of type numpy.{}. The only supported types are: float64, float32, and bool."
WORDINGS = (
    Wording(GRAD.page, "RuntimeError", GRAD_TEXT),
    Wording(CUDA.page, "TypeError", CUDA_TEXT),
    Wording(CUPY.page, "TypeError", CUDA_TEXT, is_own=False),
    Wording(NONE.page, "TypeError", f"{BATCH}<class 'NoneType'>"),
    Wording(TEXT.page, "TypeError", f"{BATCH}<U3", is_own=False),
    Wording(OBJECT.page, "TypeError", TYPES.format("object_")),
    Wording(UINT16.page, "TypeError", TYPES.format("uint16"), is_own=False),
)
FRAMES = (
    'Traceback (most recent call last):\n  File "/home/mia/run.py", line 3, in <module>\n    plot(loss)\n'
)


@pytest.fixture(scope="module")
def blank(browser: Browser) -> Iterator[Page]:
    """A page with the small index and nothing else."""
    page = browser.new_page()
    load(page)
    yield page
    page.close()


def load(page: Page, pages: tuple[SearchPage, ...] = PAGES, wordings: tuple[Wording, ...] = WORDINGS) -> None:
    """Put an index and the search into a page."""
    page.goto("about:blank")
    page.add_script_tag(content=render_script(pages, wordings, list_choices()))
    page.add_script_tag(path=SCRIPT)


def find(page: Page, text: str) -> dict[str, Any]:
    """State and results for a text."""
    expression = """text => {
      const { state, found } = window.atlasSearch.find(text);
      const [{ types, lacks } = {}] = found;
      return { state, pages: found.map((one) => one.page.page), types, lacks };
    }"""
    answer: dict[str, Any] = page.evaluate(expression, text)
    return answer


def first(page: Page, text: str) -> str:
    """Page of the first result."""
    pages: list[str] = find(page, text)["pages"]
    return pages[0] if pages else ""


def first_among(browser: Browser, query: str, *pages: SearchPage) -> str:
    """Name of the first result where these are all pages."""
    page = browser.new_page()
    load(page, pages, ())
    found = first(page, query)
    page.close()
    return found


# --- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sharing shares shared", ["share", "share", "share"]),
        ("copies copied copy", ["copy", "copy", "copy"]),
        ("normalise normalized normalisation", ["normaliz", "normaliz", "normaliz"]),
        ("pinned mapped allocation allocator", ["pin", "map", "allocat", "allocat"]),
        ("class bits16", ["class", "bits16"]),
        ("GPU cuda fp16 half", ["cuda", "cuda", "float16", "float16"]),
        ("h5 HDF5 h5py", ["h5py", "h5py", "h5py"]),
        ("from_numpy", ["from_numpy", "numpy"]),
        ("np.asarray", ["numpy.asarray", "numpy", "asarray"]),
        ("PngImageFile", ["pngimagefile", "png", "image", "fil"]),
        ("cuda:3 [2, 5] 1.5", ["cuda"]),
    ],
)
def test_words_have_one_spelling(blank: Page, text: str, expected: list[str]) -> None:
    """Inflection, case and numbers make no difference; names are kept whole, and split."""
    assert blank.evaluate("text => window.atlasSearch.terms(text).filter(Boolean)", text) == expected


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("from_numpy", FROM),
        ("np.from_numpy()", FROM),
        ("set_format", FORMAT),
        ("set format", FORMAT),
        ("workers growing", WORKERS),
        ("dataloader worker memory leak", WORKERS),
        ("torch.std gives a different result than numpy.std", STATISTICS),
        ("share mem", VIEWS),
        ("statstics", STATISTICS),
        ("thestatistics defaults", STATISTICS),
    ],
)
def test_question_finds_its_page(blank: Page, query: str, page: SearchPage) -> None:
    """By whole names, their parts, stems, words of one meaning, beginnings, near spellings."""
    assert first(blank, query) == page.page


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("tensor to PIL", TO_PILLOW),
        ("grayscale float tensor to PIL image", TO_PILLOW),
        ("pillow image to torch tensor", FROM_PILLOW),
        ("make a tensor from a PIL image", FROM_PILLOW),
    ],
)
def test_direction_decides(blank: Page, query: str, page: SearchPage) -> None:
    """From one thing to another is another question than the way back."""
    assert first(blank, query) == page.page


def test_words_of_one_line_mean_more_than_words_of_several(browser: Browser) -> None:
    """Even where a page with each of them in another question has them in its title or tags."""
    line = SearchPage("x/line", "Faster", EXAMPLE, questions="store frames of a camera? other? another?")
    asked = "store lists? draw frames? open a camera?"
    several = SearchPage("x/several", "Frames", EXAMPLE, tags="camera, store, frames", questions=asked)
    assert first_among(browser, "how do I store the frames of my camera", several, line) == line.page


IMAGES_ASKED = "Float images: How do I turn a float tensor into an image?"
CUDA_ASKED = "Array into a CUDA tensor: How? Snapshots: Is the array from a CUDA tensor a copy?"


@pytest.mark.parametrize(
    ("query", "right", "wrong"),
    [
        (
            "get an array from a cuda tensor",
            SearchPage("x/cuda", "CUDA tensor to an array", EXAMPLE),
            SearchPage("x/into", "Refreshing", EXAMPLE, questions=CUDA_ASKED),
        ),
        (
            "tensor to image",
            SearchPage("x/to", "Tensor as an image", EXAMPLE),
            SearchPage("x/from", "Image to a tensor", EXAMPLE, questions=IMAGES_ASKED),
        ),
        (
            "tensor to cupy array",
            SearchPage("x/both", "CuPy array to tensor and back without a copy", EXAMPLE),
            SearchPage("x/one", "CuPy array to tensor", EXAMPLE),
        ),
    ],
)
def test_page_goes_the_way_of_its_title(
    browser: Browser, query: str, right: SearchPage, wrong: SearchPage
) -> None:
    """A question with the same words the other way makes it no answer; "and back" means both ways."""
    assert first_among(browser, query, wrong, right) == right.page


@pytest.mark.parametrize(
    ("query", "right", "wrong"),
    [
        ("how long does cpu() take", "Why cpu() is slow", "long and longlong"),
        ("array between processes", "Arrays in another process", "Tensors between processes"),
        ("send an array", "Move an array", "Send through a queue"),
        ("numpy 1.x module", "Modules built for NumPy 1", "A module of NumPy"),
        ("compatible numpy", "Compatibility with NumPy", "Comparing with NumPy"),
        ("0-d array", "Zero-dimensional arrays", "A list of arrays"),
        ("numpy value of a tensor", "A tensor to NumPy", "Values of a tensor"),
        ("fp8 tensor", "float8 tensors", "Dtypes of tensors"),
        ("float128 array", "longdouble arrays", "Dtypes of arrays"),
        ("why does numpy() fail", "NumPy from a tensor", "A call that fails"),
    ],
)
def test_phrases_have_their_meaning(browser: Browser, query: str, right: str, wrong: str) -> None:
    """How long is about time, not about integers; between is no subject; a release belongs to its name."""
    pages = SearchPage("x/wrong", wrong, EXAMPLE), SearchPage("x/right", right, EXAMPLE)
    assert first_among(browser, query, *pages) == "x/right"


def test_rare_words_decide(browser: Browser) -> None:
    """Words that many pages have pull in none of them before the page with the rare one."""
    many = [
        SearchPage(f"x/{at}", "Memory of a tensor", EXAMPLE, "Different from a numpy array.")
        for at in range(9)
    ]
    query = "numpy array tensor memory different statistics"
    assert first_among(browser, query, *many, STATISTICS) == STATISTICS.page


@pytest.mark.parametrize("more", ["during one epoch", "zebra", "on my machine with ubuntu", "why why"])
@pytest.mark.parametrize("query", ["dataloader memory usage keeps increasing", "from_numpy", "tensor to PIL"])
def test_more_words_give_no_fewer_results(blank: Page, query: str, more: str) -> None:
    """And the page that was first stays first."""
    few, many = find(blank, query)["pages"], find(blank, f"{query} {more}")["pages"]
    assert len(many) >= len(few)
    assert many[0] == few[0]


@pytest.mark.parametrize(
    "query",
    [
        "why does my numpy array change when I change the tensor",
        "modifying the array updates my tensor too",
    ],
)
def test_change_seen_in_the_other_object_is_sharing(blank: Page, query: str) -> None:
    """Nobody who asks this knows the word."""
    assert first(blank, query) in (VIEWS.page, FROM.page)


@pytest.mark.parametrize("query", ["convert tensor to numpy array", "pytorch tensor to numpy"])
def test_title_that_is_the_question_comes_first(browser: Browser, query: str) -> None:
    """Up to its colon, in the direction asked for; NumPy and PyTorch are words as they stand."""
    page = browser.new_page()
    plainest = SearchPage("x/plainest", "Tensor to NumPy array: memory is shared", EXAMPLE)
    back = SearchPage("x/back", "NumPy array to tensor: memory is shared", EXAMPLE)
    about = SearchPage("x/about", "What a tensor can do that an array cannot", EXAMPLE, "Convert an array.")
    rival = SearchPage(
        "x/rival",
        "Sparse tensor to NumPy",
        EXAMPLE,
        "Convert a sparse tensor to a NumPy array.",
        tags="convert",
    )
    load(page, (rival, about, back, plainest), ())
    assert first(page, query) == plainest.page
    page.close()


@pytest.mark.parametrize("text", ["the array is read-only", "readonly array", "non-writable array"])
def test_spellings_of_read_only_are_one_word(blank: Page, text: str) -> None:
    """So are those of memory maps and segmentation faults."""
    assert "read_only" in blank.evaluate("text => [...window.atlasSearch.features(text).keys()]", text)


def test_wrapped_error_is_found_by_what_it_wraps(browser: Browser) -> None:
    """That a worker or a thread raised it says nothing of it."""
    page = browser.new_page()
    wrapper = Wording(NONE.page, "", "Caught RuntimeError in pin memory thread")
    load(page, wordings=(*WORDINGS, wrapper))
    assert find(page, "RuntimeError: Caught RuntimeError in pin memory thread 1")["state"] != "sure"
    page.close()


def test_same_memory_outweighs_the_words_beside_it(browser: Browser) -> None:
    """It is what the question is about, and "location" is not."""
    page = browser.new_page()
    told = "Where numpy and tensor locations are mapped."
    location = SearchPage(
        "x/map_location",
        "torch.load: map_location of mapped tensors",
        EXAMPLE,
        told,
        tags="map_location, location",
    )
    load(page, (*PAGES, location))
    assert first(page, "tensor to numpy: are they mapped to the same memory location") == VIEWS.page
    page.close()


def test_page_named_like_the_call_comes_first(browser: Browser) -> None:
    """Unless two calls are to be compared: neither page is about that."""
    page = browser.new_page()
    rest = "Which of many: as_tensor, frombuffer, asarray or from_numpy for lists, bytes and scalars"
    compared = SearchPage("x/compared", rest, EXAMPLE)
    rival = SearchPage(
        "x/accepted", "What from_numpy accepts", EXAMPLE, "A from_numpy of a list.", tags="from_numpy"
    )
    other = SearchPage("x/as_tensor", "as_tensor", EXAMPLE, names="as_tensor")
    load(page, (rival, replace(FROM, title="from_numpy and the array"), compared, other), ())
    assert first(page, "from_numpy of something") == FROM.page
    assert first(page, "from_numpy and as_tensor") == compared.page
    page.close()


@pytest.mark.parametrize(
    "query",
    ["after from_numpy(x) I wrote x = x * 2", "from_numpy(a), then a = a - 1", "from_numpy(b) and b = b / 3"],
)
def test_rebound_name_outweighs_the_call(browser: Browser, query: str) -> None:
    """Whoever asks about it names the call that made the tensor, too."""
    rebound = SearchPage("x/rebound", "Names that are bound again: rebind or update", EXAMPLE, "from_numpy.")
    call = SearchPage("x/from_numpy", "from_numpy", EXAMPLE, "Write x.")
    assert first_among(browser, query, rebound, call) == rebound.page


@pytest.mark.parametrize(
    "query", ["from_numpy(x) and x *= 2", "what does from_numpy(x) do", "from_numpy for b / 3"]
)
def test_call_comes_first_where_no_name_is_rebound(browser: Browser, query: str) -> None:
    """An operator alone binds nothing."""
    rebound = SearchPage("x/rebound", "Names that are bound again: rebind or update", EXAMPLE, "from_numpy.")
    call = SearchPage("x/from_numpy", "from_numpy", EXAMPLE, "Write x.")
    assert first_among(browser, query, rebound, call) == call.page


KERNELS = SearchPage("e/not_implemented", "NotImplementedError: not implemented for", ERRORS, fix="Cast it.")


@pytest.mark.parametrize(
    "kernel", ["im2col_out_cpu", "max_pool2d", "grid_sampler_2d_cuda", "tril_out", "Sigmoid"]
)
def test_any_kernel_finds_the_page_about_kernels(browser: Browser, kernel: str) -> None:
    """Its name is torch's own, and decides nothing."""
    page = browser.new_page()
    said = Wording(KERNELS.page, "NotImplementedError", "\"mse_cpu\" not implemented for 'Long'")
    load(page, (*DETAILED, KERNELS), (*DETAILS, said))
    found = find(page, f"RuntimeError: \"{kernel}\" not implemented for 'Long'")
    assert (found["pages"][0], found["state"]) == (KERNELS.page, "maybe")
    page.close()


def test_word_is_rare_where_few_pages_are_about_it(browser: Browser) -> None:
    """However many use it in their code."""
    page = browser.new_page()
    users = [
        SearchPage(f"x/user{at}", f"Topic number{at}", EXAMPLE, names="copy_", prose="copy_")
        for at in range(9)
    ]
    about = SearchPage("x/writing", "Into a tensor with copy_", EXAMPLE)
    rare = SearchPage("x/rare", "Original values", EXAMPLE, prose="original")
    load(page, (*users, rare, about), ())
    assert first(page, "original copy_") == about.page
    page.close()


def test_message_without_its_tail_is_the_whole_message(browser: Browser) -> None:
    """A page that shows its first sentence alone is no better than the page about the whole."""
    page = browser.new_page()
    short = Wording(NONE.page, "TypeError", TYPES.format("object_").split(". ")[0])
    load(page, wordings=(*WORDINGS, short))
    assert first(page, f"dataframe to tensor {short.text}") == OBJECT.page
    page.close()


@pytest.mark.parametrize("query", ["array += 1 changes the values", "x = x * 2 or *= for an array"])
def test_operators_are_words(blank: Page, query: str) -> None:
    """Augmented assignment is an update in place, and assignment to itself rebinds."""
    assert first(blank, query) == REBOUND.page


def test_page_that_others_point_to_comes_first(browser: Browser) -> None:
    """Of two that match alike."""
    page = browser.new_page()
    same = (replace(VIEWS, page="x/a"), replace(VIEWS, page="x/b", links=20))
    load(page, same, ())
    assert first(page, "sharing numpy") == "x/b"
    page.close()


# --- pastes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"TypeError: {CUDA_TEXT}",
        CUDA_TEXT,
        f"837 TypeError: {CUDA_TEXT}",
        f"{FRAMES}TypeError: {CUDA_TEXT.replace('cuda:0', 'cuda:1')}",
        f"2024-05-01 12:00:01,123 - train - ERROR - TypeError: {CUDA_TEXT}",
        f"[rank0]: TypeError: {CUDA_TEXT}",
        f"│ ❱ 12 │   plot(loss) │\n╰──────────────╯\nTypeError: {CUDA_TEXT}",
        f"\x1b[31mTypeError\x1b[0m: {CUDA_TEXT}",
        f"/home/u/x.py:3: in f\nE   TypeError: {CUDA_TEXT}",
        f'{{\n"name": "TypeError",\n"message": "{CUDA_TEXT}"\n}}',
        f"TypeError：{CUDA_TEXT.replace('. ', '。')}",
        "convert cuda device type tensor to\nnumpy. Use Tensor.cpu() to copy",
        f"I ran this and got\n{FRAMES}TypeError: {CUDA_TEXT}\nany help?",
    ],
)
def test_error_is_recognised(blank: Page, text: str) -> None:
    """Behind a number, a log's prefix or a prompt; in boxes, colours or JSON; in part."""
    assert first(blank, text) == CUDA.page


def test_last_error_comes_first(blank: Page) -> None:
    """It is the one that ended the program."""
    one, two = f"TypeError: {CUDA_TEXT}", f"RuntimeError: {GRAD_TEXT}"
    between = "\n\nDuring handling of the above exception, another exception occurred:\n\n"
    assert first(blank, f"{one}{between}{two}") == GRAD.page
    assert first(blank, f"{two}{between}{one}") == CUDA.page


def test_traceback_without_its_last_line_is_read_by_its_code(blank: Page) -> None:
    """The frames are all there is."""
    assert first(blank, 'File "a.py", line 1, in f\n    ax.imshow(image)\n') == IMAGES.page


@pytest.mark.parametrize(
    ("text", "page"),
    [(f"{BATCH}<class 'NoneType'>", NONE), (f"{BATCH}<U14", TEXT), (TYPES.format("uint16"), UINT16)],
)
def test_types_decide_between_like_messages(blank: Page, text: str, page: SearchPage) -> None:
    """What stands in brackets, behind "found" and behind "of type" outweighs what all of them say."""
    assert first(blank, f"{FRAMES}TypeError: {text}") == page.page


def test_other_types_fold_the_fix_and_are_named(blank: Page) -> None:
    """A message that differs in its types may have another cause."""
    found = find(blank, f"TypeError: {BATCH}<class 'PngImageFile'>")
    assert found["state"] == "maybe"
    assert found["types"] == {"asked": ["PngImageFile"], "theirs": ["NoneType"]}


def test_head_of_a_message_outweighs_its_tail(blank: Page) -> None:
    """The list of supported types is the same behind all of them."""
    assert (
        first(blank, "TypeError: can't convert np.ndarray of type numpy.object_. Only float64 is supported.")
        == OBJECT.page
    )


def test_frames_of_a_library_point_to_its_page(blank: Page) -> None:
    """And the general page is then no certain answer."""
    text = f'File "/lib/python3.8/site-packages/cupy/_core/core.py", line 9, in f\nTypeError: {CUDA_TEXT}'
    found = find(blank, text)
    assert CUPY.page in found["pages"][:2]
    assert found["state"] == "maybe"


# --- how sure ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (f"{FRAMES}TypeError: {CUDA_TEXT}", "sure"),
        (GRAD_TEXT, "sure"),
        ("tensor array memory", "maybe"),
        ("NotImplementedError: Cannot convert a symbolic Tensor (Neg_1:0) to a numpy array", "none"),
        ("TypeError: Unrecognized type <class 'tensorflow.python.framework.ops.EagerTensor'>", "none"),
        ("share memory between numpy and keras", "none"),
        ("RuntimeError: zebra", "none"),
        ("zebra crossing", "none"),
        ("the of a", "none"),
        ("12 0.5 [3]", "none"),
    ],
)
def test_state_says_how_sure_the_answer_is(blank: Page, text: str, state: str) -> None:
    """This is it, these may be it, or nothing here answers."""
    assert find(blank, text)["state"] == state


FLOAT = SearchPage(
    "e/removed", "module 'numpy' has no attribute 'float'", ERRORS, fix="Name it.", code="float32"
)
BUS = SearchPage(
    "e/bus_error", "DataLoader worker is killed by signal: Bus error", ERRORS, fix="Enlarge /dev/shm."
)
SHAPE = SearchPage(
    "e/imshow", "Invalid shape (1, 3, 5, 6) for image data", ERRORS, fix="Take one.", code="x[0]"
)
GONE = SearchPage(
    "e/gone", "`np.float_` was removed in the NumPy 2.0 release", ERRORS, fix="Use `np.float64`."
)
WRAP = SearchPage("e/wrap", "__array_wrap__ must accept context", ERRORS, fix="Convert it.", names="np.add")
DETAILED = (FLOAT, BUS, SHAPE, GONE, NONE, WRAP, CUDA, GRAD)
DETAILS = (
    Wording(FLOAT.page, "AttributeError", "module 'numpy' has no attribute 'float'"),
    Wording(BUS.page, "RuntimeError", "DataLoader worker (pid 77) is killed by signal: Bus error."),
    Wording(SHAPE.page, "TypeError", "Invalid shape (1, 3, 5, 6) for image data"),
    Wording(GONE.page, "AttributeError", "`np.float_` was removed in the NumPy 2.0 release."),
    Wording(NONE.page, "TypeError", f"{BATCH}<class 'NoneType'>"),
    Wording(
        WRAP.page, "DeprecationWarning", "__array_wrap__ must accept context and return_scalar arguments"
    ),
    Wording(CUDA.page, "TypeError", CUDA_TEXT),
    Wording(GRAD.page, "RuntimeError", GRAD_TEXT),
)
WRAPPED = "DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments\n"


@pytest.fixture(scope="module")
def detailed(browser: Browser) -> Iterator[Page]:
    """A page with messages that differ in a detail from what is pasted."""
    page = browser.new_page()
    load(page, DETAILED, DETAILS)
    yield page
    page.close()


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("AttributeError: module 'numpy' has no attribute 'float'", "sure"),
        ("AttributeError: module 'numpy' has no attribute 'bananas'", "maybe"),
        ("RuntimeError: DataLoader worker (pid 4711) is killed by signal: Bus error.", "sure"),
        ("RuntimeError: DataLoader worker (pid 4711) is killed by signal: Killed.", "maybe"),
        ("TypeError: Invalid shape (8, 3, 224, 224) for image data", "sure"),
        ("TypeError: Invalid shape (3, 224, 224) for image data", "maybe"),
        ("AttributeError: `np.float_` was removed in the NumPy 2.0 release.", "sure"),
        ("AttributeError: `np.float_` was removed in the NumPy 3.1 release.", "maybe"),
        (f"TypeError: {BATCH}<class 'NoneType'>", "sure"),
        (f"TypeError: {BATCH}<class 'datetime.date'>", "maybe"),
        (f"{WRAPPED}  x = np.add(a, t)", "sure"),
        (f"{WRAPPED}  x = np.isfinite(t)", "maybe"),
    ],
)
def test_detail_that_a_page_does_not_cover_is_not_sure(detailed: Page, text: str, state: str) -> None:
    """A name, a signal, a rank, a version, a class or a call; ids and sizes change nothing."""
    assert find(detailed, text)["state"] == state


PICKLED = "Weights only load failed. Load it with weights_only set to False. WeightsUnpickler error:"
PICKLE = SearchPage("e/weights_only", "Weights only load failed", ERRORS, fix="Save tensors.")


@pytest.mark.parametrize(
    ("tail", "state"),
    [
        (" Unsupported operand 71", "sure"),
        ("\n\nUnsupported operand 71\n\nCheck the documentation.", "sure"),
        (" Unsupported operand 118", "maybe"),
        (" Unsupported operand 60", "maybe"),
        ("\n\nUnsupported operand 118\n\nCheck the documentation.", "maybe"),
        ("\n\nUnsupported operand 10", "maybe"),
        ("\nUnsupported operand 239", "maybe"),
    ],
)
def test_byte_that_a_page_does_not_answer_is_not_sure(browser: Browser, tail: str, state: str) -> None:
    """The file may be a text; the byte may stand behind an empty line that a colon announces."""
    page = browser.new_page()
    said = Wording(PICKLE.page, "UnpicklingError", f"{PICKLED} Unsupported operand 71")
    load(page, (PICKLE, CUDA, GRAD), (said, Wording(CUDA.page, "TypeError", CUDA_TEXT)))
    assert find(page, f"UnpicklingError: {PICKLED}{tail}")["state"] == state
    page.close()


DAMAGED = SearchPage("e/damaged", "Weights only load failed on a text", ERRORS, fix="Download it again.")


@pytest.mark.parametrize(("byte", "page"), [(71, PICKLE), (118, DAMAGED), (60, DAMAGED), (10, PICKLE)])
def test_page_that_knows_the_byte_stands_first(browser: Browser, byte: int, page: SearchPage) -> None:
    """The rest of the message is the same on both."""
    blank = browser.new_page()
    said = [
        Wording(PICKLE.page, "UnpicklingError", PICKLED.split(". ", maxsplit=1)[0]),
        Wording(PICKLE.page, "UnpicklingError", f"{PICKLED} Unsupported operand 71"),
        Wording(DAMAGED.page, "UnpicklingError", f"{PICKLED} Unsupported operand 118"),
        Wording(DAMAGED.page, "UnpicklingError", f"{PICKLED} Unsupported operand 60"),
    ]
    load(blank, (PICKLE, DAMAGED, CUDA), (*said, Wording(CUDA.page, "TypeError", CUDA_TEXT)))
    assert first(blank, f"UnpicklingError: {PICKLED} Unsupported operand {byte}") == page.page
    blank.close()


@pytest.mark.parametrize("word", ["convert", "device", "tensor"])
def test_typo_lowers_certainty(detailed: Page, word: str) -> None:
    """A word that no page has may stand for any other."""
    text = f"TypeError: {CUDA_TEXT}"
    assert find(detailed, text)["state"] == "sure"
    assert find(detailed, text.replace(word, f"{word[:2]}q{word[2:]}", 1))["state"] != "sure"


@pytest.mark.parametrize(
    ("code", "state"),
    [("x = tf.constant(rows)", "none"), ("y = jnp.stack(rows)", "maybe"), ("x = torch.stack(rows)", "sure")],
)
def test_other_framework_in_the_code_of_a_paste_is_foreign(detailed: Page, code: str, state: str) -> None:
    """Its tensors raise errors of the same words."""
    text = f'  File "a.py", line 3, in f\n    {code}\nRuntimeError: {GRAD_TEXT}'
    assert find(detailed, text)["state"] == state


def test_page_about_another_framework_answers_questions_alone(browser: Browser) -> None:
    """Its errors are not those of a page that tells how to share its arrays."""
    frameworks = SearchPage("x/frameworks", "Tensors of Keras and torch", EXAMPLE, tags="keras")
    page = browser.new_page()
    load(page, (*DETAILED, frameworks), DETAILS)
    assert find(page, "Tensors of Keras")["state"] != "none"
    assert find(page, "TypeError: Tensors of Keras cannot be converted")["state"] == "none"
    page.close()


def test_message_that_two_pages_are_about_is_not_sure(browser: Browser) -> None:
    """What it says cannot tell which of them it is."""
    other = SearchPage("e/other", "Graphs that require grad", ERRORS, fix="Leave it.", code="x.item()")
    page = browser.new_page()
    text = f"RuntimeError: {GRAD_TEXT}"
    load(page, (*DETAILED, other), (*DETAILS, Wording(other.page, "RuntimeError", GRAD_TEXT)))
    assert find(page, text)["state"] == "maybe"
    page.close()


MEMORY = SearchPage("e/out_of_memory", "CUDA out of memory", ERRORS, fix="Keep less.", code="x.cpu()")
CHANNELS = SearchPage("e/data_type", "Cannot handle this data type", ERRORS, fix="Move it.", code="x.T")
NUMBER = SearchPage("e/number", "IndexError: invalid index", ERRORS, fix="Take it.", code="torch.ones(2)")
CALLER = SearchPage("x/plots", "Plots of Matplotlib", EXAMPLE, tags="matplotlib", names="plot")
DATA_TYPE = "TypeError: Cannot handle this data type: (1, 1, {}), |u1"


@pytest.fixture(scope="module")
def general(browser: Browser) -> Iterator[Page]:
    """A page with errors that have many causes."""
    page = browser.new_page()
    said = (
        Wording(MEMORY.page, "OutOfMemoryError", "CUDA out of memory. Tried to allocate 2.00 GiB."),
        Wording(CHANNELS.page, "TypeError", "Cannot handle this data type: (1, 1, 1), |u1"),
        Wording(NUMBER.page, "IndexError", "invalid index to scalar variable."),
        Wording(CALLER.page, "RuntimeError", GRAD_TEXT, is_own=False),
    )
    load(page, (*DETAILED, MEMORY, CHANNELS, NUMBER, CALLER), (*DETAILS, *said))
    yield page
    page.close()


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.", "maybe"),
        ("    pick(rows[i][0])\nIndexError: invalid index to scalar variable.", "maybe"),
        ("    pick(torch.max(rows)[0])\nIndexError: invalid index to scalar variable.", "sure"),
        (DATA_TYPE.format(389), "sure"),
        (DATA_TYPE.format(5), "maybe"),
        (f"    np.delete(t, 0)\n{WRAPPED}", "maybe"),
        (f"    np.arange(3.0) * t\n{WRAPPED}", "sure"),
        (f"    plt.plot(train_losses)\nRuntimeError: {GRAD_TEXT}", "maybe"),
        (f"    plt.plot(train_losses.numpy())\nRuntimeError: {GRAD_TEXT}", "sure"),
    ],
)
def test_message_of_many_causes_is_not_sure(general: Page, text: str, state: str) -> None:
    """The code beside it may tell the cause: torch, a call of NumPy's, a list of losses; a size may, too."""
    assert find(general, text)["state"] == state


DTYPES = SearchPage("e/dtypes", "mat1 and mat2 must have the same dtype", ERRORS, fix="Cast.", code="x.to(y)")
LINEAR = SearchPage("e/linear", "Weights of zebras", ERRORS, fix="Make it.", code="Linear(2, 2)")
SAME = "mat1 and mat2 must have the same dtype"
GLOBAL = (
    "Weights only load failed. This file can still be loaded, if you trust the source of the checkpoint. "
    "WeightsUnpickler error: Unsupported global: GLOBAL {} was not an allowed global by default."
)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (f"RuntimeError: {SAME}, but got Double and Float", "sure"),
        (f"RuntimeError: {SAME}", "maybe"),
        (f"UnpicklingError: {GLOBAL.format('numpy.core.multiarray.scalar')}", "sure"),
        (f"UnpicklingError: {GLOBAL.format('numpy._core.multiarray._reconstruct')}", "sure"),
        (f"UnpicklingError: {GLOBAL.format('argparse.Namespace')}", "maybe"),
    ],
)
def test_what_decides_in_a_message_must_be_there(browser: Browser, text: str, state: str) -> None:
    """Two types that it ends before, or a class of a package other than NumPy."""
    page = browser.new_page()
    said = (
        Wording(DTYPES.page, "RuntimeError", f"{SAME}, but got Double and Float"),
        Wording(PICKLE.page, "UnpicklingError", GLOBAL.format("numpy.core.multiarray.scalar")),
        *DETAILS,
    )
    load(page, (DTYPES, PICKLE, *DETAILED), said)
    assert find(page, text)["state"] == state
    page.close()


def test_page_that_has_the_message_for_title_is_sure(browser: Browser) -> None:
    """Another page that meets it, too, has a title of which the paste says little."""
    page = browser.new_page()
    said = [
        Wording(one.page, "RuntimeError", f"{SAME}, but got Double and Float") for one in (DTYPES, LINEAR)
    ]
    load(page, (DTYPES, LINEAR, *DETAILED), (*said, *DETAILS))
    found = find(page, f"RuntimeError: {SAME}, but got Double and Float")
    assert (found["pages"][0], found["state"]) == (DTYPES.page, "sure")
    page.close()


@pytest.mark.parametrize(("library", "state"), [("matplotlib", "sure"), ("cupy", "maybe")])
def test_library_in_the_frames_matters_where_a_page_has_the_message(
    blank: Page, library: str, state: str
) -> None:
    """Else the page about the message alone is the one."""
    text = f'File "/lib/site-packages/{library}/base.py", line 9, in f\nTypeError: {CUDA_TEXT}'
    assert find(blank, text)["state"] == state


def test_error_whose_message_is_below_is_no_question(browser: Browser) -> None:
    """It has words of pages, and the one that has most of them need not answer."""
    asked = SearchPage(
        "x/tolerance", "Tolerance of two results", EXAMPLE, "ToleranceError: compare results.", names="atol"
    )
    page = browser.new_page()
    load(page, (asked, *DETAILED), DETAILS)
    text = "tolerance of two results, compare results, atol, tolerance of two results"
    assert find(page, text)["state"] == "sure"
    assert find(page, text.replace(", compare", ":\ncompare"))["state"] == "sure"
    assert find(page, f"ToleranceError:\n{text}")["state"] == "maybe"
    page.close()


def test_words_that_a_page_lacks_are_named(blank: Page) -> None:
    """In the reader's own spelling, so that results can be told apart."""
    assert find(blank, "tensors and arrays, zebras")["lacks"] == ["zebras"]
