"""Names and references in Chinese, Japanese, Korean and Cyrillic script."""

import pytest

from openseer.extract.references.cjk_names import cjk_names, is_cjk
from openseer.extract.references.parse_reference import parse_reference


@pytest.mark.parametrize(
    ("printed", "japanese", "names"),
    [
        ("王小明, 李华, 张伟, 等", False, [("王", "小明"), ("李", "华"), ("张", "伟")]),
        ("欧阳修、司马光", False, [("欧阳", "修"), ("司马", "光")]),
        ("田中正・小川知子", True, [("田中", "正"), ("小川", "知子")]),
        ("鈴木 一郎, 佐藤 花子", False, [("鈴木", "一郎"), ("佐藤", "花子")]),
        ("김철수.이영희", False, [("김", "철수"), ("이", "영희")]),
        ("남궁민수 외 3인", False, [("남궁", "민수")]),
        ("山本花子 高橋一郎 石川美咲", True, [("山本", "花子"), ("高橋", "一郎"), ("石川", "美咲")]),
        ("陈业平主编", False, [("陈", "业平")]),
        ("王明, Smith", False, [("王", "明"), ("Smith", "")]),
    ],
)
def test_family_names_come_first(printed, japanese, names):
    assert [(name.family, name.given) for name in cjk_names(printed, japanese)] == names


def test_cjk_scripts_are_detected():
    assert [is_cjk(text) for text in ("王", "ひ", "김", "Wang", "Иванов")] == [True, True, True, False, False]


ENTRIES = [
    (
        "[1] 王小明, 李华. 土壤含水量遥感反演方法的比较[J]. 水利学报, 2018, 41(3): 512-520.",
        ("王", "土壤含水量遥感反演方法的比较", "水利学报", 2018, "41", "3", "512-520"),
    ),
    (
        "张三：《论城市的边界》，《社会学研究》2003年第2期，第15—30页。",
        ("张", "论城市的边界", "社会学研究", 2003, "", "2", "15-30"),
    ),
    (
        "田中正・小川知子「水田における住民参加」『都市問題』第45巻第2号、2010年、23-45頁。",
        ("田中", "水田における住民参加", "都市問題", 2010, "45", "2", "23-45"),
    ),
    (
        "김철수, 이영희 (2015). 지역 도서관 이용이 독서에 미치는 영향. 한국도서관학보, 59(3), 45-67.",
        ("김", "지역 도서관 이용이 독서에 미치는 영향", "한국도서관학보", 2015, "59", "3", "45-67"),
    ),
    (
        "Петренко О. В., Сидоренко И. К. Об устойчивости мостов // Строительство и жизнь. 2012. Т. 8, № 5. С. 34–41.",
        ("Петренко", "Об устойчивости мостов", "Строительство и жизнь", 2012, "8", "5", "34-41"),
    ),
]


@pytest.mark.parametrize(("printed", "wanted"), ENTRIES)
def test_articles(printed, wanted):
    found = parse_reference(printed)
    assert found.type == "article"
    assert (
        found.authors[0].family,
        found.title,
        found.venue,
        found.year,
        found.volume,
        found.issue,
        found.pages,
    ) == wanted


@pytest.mark.parametrize(
    ("printed", "kind", "title", "house"),
    [
        ("刘明, 陈业. 图书馆目录[M]. 北京: 高等教育出版社, 1957.", "book", "图书馆目录", "高等教育出版社"),
        ("山田太郎（2005）『日本の経済』岩波書店.", "book", "日本の経済", "岩波書店"),
        ("김규, 『문학의 이해』, 서울: 민음사, 1986.", "book", "문학의 이해", "민음사"),
        ("Волков Ю. М. Строение древних мостов. М.: Наука, 1970. 384 с.", "book", "Строение древних мостов", "Наука"),
        ("陈平. 减缩积分算法的研究[D]. 北京: 清华大学, 2000.", "thesis", "减缩积分算法的研究", ""),
    ],
)
def test_books_and_theses(printed, kind, title, house):
    found = parse_reference(printed)
    assert (found.type, found.title, found.publisher) == (kind, title, house)
