"""Synthetic labelled references in Chinese, Japanese, Korean and Russian styles, which are rare in the corpus.

Names, titles and journals are composed of common words. The seed is fixed, so every run gives the same strings."""

from __future__ import annotations

import random
import re
from typing import Any, NamedTuple

SEED = 2026
FIELD = re.compile(r"<(\w+)>")
LABELS = {"school": "institution", "one": "author"}


class ReferenceStyle(NamedTuple):
    """Reference style of one script; words are separated by blanks."""

    families: str
    givens: str
    name: str
    joints: tuple[str, ...]
    titles: tuple[str, ...]
    things: str
    journals: tuple[str, str]
    books: tuple[str, str]
    houses: str
    places: str
    styles: tuple[str, ...]


CHINESE = ReferenceStyle(
    families="王 李 张 刘 陈 杨 黄 赵 吴 周 徐 孙 马 朱 胡 郭 何 林 高 罗 郑 梁 谢 宋 唐 许 韩 冯 邓 曹 彭 曾 肖"
    " 田 董 潘 袁 蔡 蒋 余 杜 叶 程 魏 苏"
    " 吕 丁 任 沈 姚 卢 姜 崔 钟 谭 陆 汪 范 石 廖 贾 夏 韦 方 白 邹 孟 熊 秦 邱 江 尹 薛 段 雷 侯 龙 史 陶 黎 贺"
    " 顾 毛 郝 龚 邵 万 钱 劉 陳 張 趙 黃 許",
    givens="伟 芳 娜 秀英 敏 静 丽 强 磊 军 洋 勇 艳 杰 娟 涛 明 超 兰 霞 志平 刚 桂文 辉 建华 国峰 志玲 红梅"
    " 海波 云飞 宇晨 思雨 佳欣 俊浩 天成 永康 春晓"
    " 东南 振林 庆生 德光 荣新 正义 学仁 福祥 瑞凤 文莲 晓明 建國 曉東 志偉",
    name="{0}{1}",
    joints=(", ", "，", ",", "、", ", "),
    titles=(
        "基于{0}的{1}研究",
        "{0}现状研究",
        "{0}对{1}质量的影响",
        "论{0}与{1}",
        "{0}特征分析——以{1}为例",
        "{0}及其影响因素",
        "{0}与{1}的关系",
        "{0}概论",
        "{1}中的{0}问题",
        "{0}发展趋势与对策",
        "{0}優化方法之研究",
        "{0}",
    ),
    things="图像识别 神经网络 土壤水分 水稻 大学生 农村居民 上市公司 高校图书馆 城市交通 煤矿安全 锂电池 混凝土"
    " 糖尿病患者 中药 气候变化 区域经济 数字经济 人工智能"
    " 传统文化 古代文学 汉语语法 小学教师 电力系统 无线传感器 遥感数据 长江流域 黄土高原 青藏高原 生态系统"
    " 企业创新 金融市场 刑法 民事诉讼 社会保障 人口老龄化"
    " 新媒体 知识管理 机器翻译 文本分类 基因表达 肺癌 心理健康 石油 铁路 桥梁结构 激光 纳米材料 玉米 草原 水资源"
    " 經濟發展 儒家思想 唐代詩歌",
    journals=(
        "计算机 物理 化学 中国农业 环境科学 心理 经济 地理 电子 教育 自动化 生态 土木工程 中国医学 法学 图书情报"
        " 历史 哲学 语言 新闻 机械工程 植物 数学 管理"
        " 北方大学 南海师范大学 臺灣社會",
        "学报 研究 杂志 科学 通报 评论 学刊 与实践 进展 学报(自然科学版) 学报（社会科学版） 學報 技术",
    ),
    books=("教育 信息 材料 社会 经济史 语言学", "国际学术会议论文集 年会论文集 研究论丛 手册 论文选"),
    houses="科学出版社 人民出版社 高等教育出版社 北方大学出版社 商务印书馆 中华书局 文物出版社 教育科学出版社"
    " 机械工业出版社 三联书店",
    places="北京 上海 广州 南京 武汉 西安 成都 天津 杭州 长沙 重庆 沈阳 台北",
    styles=(
        "<author>. <title>[J]. <journal>, <date>, <volume>(<issue>): <pages>.",
        "<author>. <title>[J]. <journal>, <date>(<issue>): <pages>.",
        "<author>.<title>[J].<journal>,<date>,<volume>(<issue>):<pages>.",
        "<author>．<title>[J]．<journal>，<date>，<volume>(<issue>)：<pages>．",
        "<author>，等. <title> [J]. <journal>，<date>，<volume>（<issue>）：<pages>.",
        "<author>, 等. <title>[J]. <journal>, <date>, <volume>: <pages>.",
        "<author>. <title>. <journal>. <date>;<volume>(<issue>):<pages>.",
        "<author>, <title>, <journal>, Vol.<volume>, No.<issue>, pp.<pages>, <date>.",
        "<author>(<date>). <title>. <journal>, <volume>(<issue>), <pages>.",
        "<author>：《<title>》，《<journal>》<date>年第<issue>期。",
        "<author>：《<title>》，《<journal>》，<date>年第<issue>期，第<pages>页。",
        "<author>（<date>）。<title>。<journal>，<volume>（<issue>），<pages>。",
        "<one>：《<title>》，<location>：<publisher>，<date>年版，第<pages>页。",
        "<one>：《<title>》，<publisher><date>年版。",
        "<one>著：《<title>》，<location>：<publisher>，<date>年。",
        "<author>. <title>[M]. <location>: <publisher>, <date>.",
        "<author>. <title>[M]. <location>: <publisher>, <date>: <pages>.",
        "<author>．<title>[M]．<location>：<publisher>，<date>．",
        "<author>. <title>[C]//<booktitle>. <location>: <publisher>, <date>: <pages>.",
        "<author>. <title>[A]. <editor>. <booktitle>[C]. <location>: <publisher>, <date>. <pages>.",
        "<one>. <title>[D]. <location>: <school>, <date>.",
        "<author>. <title>[EB/OL]. (<date>)[2021-03-02]. <url>.",
    ),
)
JAPANESE = ReferenceStyle(
    families="佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤 吉田 山田 佐々木 山口 松本 井上 木村 林 斎藤 清水"
    " 山崎 森 池田 橋本 阿部 石川 小川 岡田 長谷川"
    " 村上 近藤 石井 遠藤 青木 坂本 藤井 西村 福田 太田 三浦",
    givens="太郎 一郎 健 誠 翔 大輔 直樹 花子 陽子 恵 美咲 由美 智子 愛 さくら ひろし みどり 和彦 浩二 正人 真理"
    " 隆 修 学 久美子 康夫 義雄 宏",
    name="{0}{2}{1}",
    joints=("・", "、", ", ", "，", ", "),
    titles=(
        "{0}における{1}の研究",
        "{0}に関する一考察",
        "{0}と{1}",
        "{0}の現状と課題",
        "{0}を用いた{1}の分析",
        "{0}の歴史",
        "{0}の構造―{1}を中心に―",
        "{0}への影響について",
        "{0}入門",
        "{0}とは何か : {1}の視点から",
    ),
    things="日本企業 高齢者 地域社会 大学図書館 情報システム 地震災害 都市計画 江戸時代 源氏物語 小学校"
    " 日本語教育 留学生 コミュニケーション データベース 音声認識"
    " ロボット 画像処理 環境問題 エネルギー 水田 森林 看護師 糖尿病 リハビリテーション 少子化 雇用 金融政策 憲法"
    " 地方自治 メディア アニメ 身体運動 食品"
    " ネットワーク ソフトウェア",
    journals=(
        "日本教育 情報処理 経済 社会 心理 看護 建築 土木 国語 歴史 法律 地理 電子情報通信 農業経済 図書館情報"
        " 環境 言語 宗教",
        "学会論文誌 学研究 学会誌 研究 学論集 大学紀要 評論 学雑誌 ジャーナル",
    ),
    books=("都市 家族 教育 情報 現代思想", "の社会学 講座 ハンドブック 論集"),
    houses="岩波書店 東京大学出版会 有斐閣 勁草書房 講談社 みすず書房 朝倉書店 ミネルヴァ書房 平凡社 中央公論社 新曜社",
    places="東京 京都 大阪 名古屋",
    styles=(
        "<author>「<title>」『<journal>』第<volume>巻第<issue>号、<date>年、<pages>頁。",
        "<author>「<title>」『<journal>』<volume>巻<issue>号、<date>年、<pages>頁",
        "<author>（<date>）「<title>」『<journal>』<volume>(<issue>), pp.<pages>.",
        "<author>，<date>，「<title>」『<journal>』<volume>(<issue>): <pages>．",
        "<author> (<date>)「<title>」,『<journal>』, 第<volume>巻, 第<issue>号, <pages>頁.",
        "<author>, <title>, <journal>, Vol.<volume>, No.<issue>, pp.<pages>, <date>.",
        "<author>: <title>, <journal>, Vol.<volume>, No.<issue>, pp.<pages> (<date>).",
        "<author>：<title>，<journal>，Vol. <volume>，No. <issue>，pp. <pages>，<date>．",
        "<author>. <title>. <journal>. <date>, vol. <volume>, no. <issue>, p. <pages>.",
        "<author>. (<date>). <title>. <journal>, <volume>(<issue>), <pages>.",
        "<author>(<date>). <title>. <journal>, <volume>, <pages>.",
        "<author> (<date>) <title>．<journal>，<volume>，<pages>．",
        "<author>: <title>. <journal> <volume>: <pages>, <date>",
        "<author>『<title>』<publisher>、<date>年。",
        "<author>著『<title>』（<publisher>、<date>年）",
        "<author>（<date>）『<title>』<publisher>.",
        "<author>, <title>, <publisher>, <date>.",
        "<one>「<title>」<editor>編『<booktitle>』<publisher>、<date>年、<pages>頁",
        "<one>（<date>）「<title>」<editor>編『<booktitle>』<publisher>, pp.<pages>.",
    ),
)
KOREAN = ReferenceStyle(
    families="김 이 박 최 정 강 조 윤 장 임 한 오 서 신 권 황 안 송 류 전 홍 고 문 손 양 배 백 허 남 심",
    givens="민준 서연 지훈 현우 영수 진희 경호 은성 미정 동재 혜진 태상 철수 연주 훈 선아 규원 용희 상미 수진"
    " 재현 지영 성호 은주 정민",
    name="{0}{1}",
    joints=(", ", ", ", "·", ".", ", "),
    titles=(
        "{0}의 {1}에 미치는 영향",
        "{0}에 관한 연구",
        "{0}와 {1}의 관계",
        "{0}을 활용한 {1} 분석",
        "{0}의 현황과 과제",
        "{0}: {1}을 중심으로",
        "{0} 개발 방안",
        "{0} 연구 - {1}을 중심으로 -",
        "{0}의 이해",
    ),
    things="대학생 초등학교 교사 지방자치단체 소셜미디어 빅데이터 인공지능 중소기업 조직문화 직무만족 노인 유아"
    " 청소년 관광객 브랜드 한국어 조선시대 문화유산 도시재생"
    " 기후변화 간호사 학습동기 무선통신 반도체 알고리즘 소비자 자아존중감 환경정책 북한 다문화가정 스마트폰",
    journals=(
        "한국교육 한국행정 정보과학 관광 간호 경영 심리 사회복지 한국콘텐츠 국어국문 역사 도시 환경 통신 디자인"
        " 체육 법학",
        "학회지 연구 학보 학회논문지 논총 학연구 저널 리뷰 논문집",
    ),
    books=("교육 정보 사회 문화", "총서 편람 개론 학술대회논문집"),
    houses="학지사 박영사 민음사 창비 한길사 교육과학사 집문당 서울대학교출판부 법문사",
    places="서울 부산 대구 파주",
    styles=(
        "<author> (<date>). <title>. <journal>, <volume>(<issue>), <pages>.",
        "<author>(<date>). <title>. <journal>, <volume>(<issue>), <pages>.",
        "<author>(<date>), <title>, <journal>, <volume>(<issue>), <pages>.",
        "<author>. (<date>). <title>. <journal>, 제<volume>권 제<issue>호, <pages>쪽.",
        "<author>. <date>. <title>. <journal>, <volume>(<issue>): <pages>.",
        "<author>, <date>, <title>, <journal> <volume>(<issue>), pp.<pages>.",
        "<author>, '<title>,' <journal>, 제<volume>권, 제<issue>호, pp.<pages>, <date>.",
        "<author>, “<title>,” <journal>, 제<volume>권 제<issue>호, <date>, pp.<pages>.",
        '<author>, "<title>", <journal>, Vol.<volume>, No.<issue>, pp.<pages>, <date>.',
        "<author> <date>. '<title>,' <journal> (<volume>:<issue>), pp.<pages>.",
        "<author>, 「<title>」, 『<journal>』 제<volume>권 제<issue>호, <date>, <pages>쪽.",
        "<author>, 「<title>」, 『<journal>』 <volume>집, <date>, <pages>면.",
        "<author>. <title>. <journal> <date>;<volume>(<issue>):<pages>.",
        "<author>. <title>. <journal>. <volume>(<issue>). <date>.",
        "<author> (<date>). <title>. <location>: <publisher>.",
        "<author>, 『<title>』, <location>: <publisher>, <date>.",
        "<author>, <title>, <publisher>, <date>.",
        "<one> (<date>). <title>. <school> 석사학위논문.",
        "<one>, “<title>,” <school> 대학원 박사학위논문, <date>.",
    ),
)
RUSSIAN = ReferenceStyle(
    families="Иванов Петров Сидоров Смирнов Кузнецов Попов Васильев Соколов Михайлов Новиков Фёдоров Морозов"
    " Волков Алексеев Лебедев Семёнов Егоров Павлов"
    " Козлов Степанов Николаев Орлов Андреев Макаров Никитин Захаров Зайцева Соловьёва Борисова Яковлева"
    " Григорьева Романова Белый Шевченко Бондаренко",
    givens="А. Б. В. Г. Д. Е. И. К. Л. М. Н. О. П. Р. С. Т. Ф. Ю. Я. А.В. Б.Н. В.А. Е.С. И.И. М.Ю. Н._П. О._В."
    " С._А. Ю._Л.",
    name="{0} {1}",
    joints=(", ", ", ", "; "),
    titles=(
        "О некоторых свойствах {0}",
        "Исследование {0} в условиях {1}",
        "Методы анализа {0}",
        "Проблемы {0} и {1}",
        "К вопросу о развитии {0}",
        "Моделирование {0}",
        "История и современность {0}",
        "Основы теории {0}",
        "Влияние {0} на формирование {1}",
        "Особенности {0}: опыт изучения {1}",
    ),
    things="нелинейных_уравнений рыночной_экономики русского_языка лесных_почв полупроводниковых_структур"
    " социальных_сетей народной_культуры"
    " международного_права школьного_образования транспортных_систем горных_пород нейронных_сетей"
    " древних_рукописей городской_среды"
    " человеческого_капитала водных_ресурсов органических_соединений русской_литературы_XIX_века",
    journals=(
        "Вопросы Журнал Вестник Известия Проблемы Успехи Труды Доклады Записки",
        "истории прикладной_физики Северного_университета академии_наук экономики_и_права почвоведения химии"
        " образования русской_речи"
        " автоматики социологии математики института._Серия_3 филологии",
    ),
    books=("Материалы Сборник Труды Тезисы", "научной_конференции научных_трудов симпозиума международного_семинара"),
    houses="Наука Мир Просвещение Высшая_школа Академия Питер Изд-во_МГУ Политиздат Физматлит Юрайт Прогресс",
    places="М. М. СПб. Л. Новосибирск Казань Екатеринбург Москва Киев Минск",
    styles=(
        "<author> <title> // <journal>. <date>. Т. <volume>, № <issue>. С. <pages>.",
        "<author> <title> // <journal>. <date>. № <issue>. С. <pages>.",
        "<author> <title> // <journal>. – <date>. – Т. <volume>. – № <issue>. – С. <pages>.",
        "<author> <title> // <journal>. — <date>. — № <issue>. — С. <pages>.",
        "<author> <title>. // <journal>, <date>, т. <volume>, вып. <issue>, с. <pages>.",
        "<author> <title> // <journal>. <date>. Вып. <issue>. С. <pages>.",
        "<author>, «<title>», <journal>, <volume>:<issue> (<date>), <pages>.",
        "<author> (<date>). <title>. <journal>, <volume>(<issue>), <pages>.",
        "<author> <date>. <title>. <journal> <volume>: <pages>.",
        "<author> <title>. <location>: <publisher>, <date>. 256 с.",
        "<author> <title>. – <location>: <publisher>, <date>. – 312 с.",
        "<author> <title>. — <location> : <publisher>, <date>. — 180 с.",
        "<author> <title>. <location>, <date>.",
        "<author> <title> // <booktitle>. <location>: <publisher>, <date>. С. <pages>.",
        "<author> <title> // <booktitle> / под ред. <editor>. <location>, <date>. С. <pages>.",
        "<one> <title>: дис. ... канд. наук. <location>, <date>. 150 с.",
    ),
)


def strings(each: int = 350) -> list[dict[str, Any]]:
    """`each` labelled strings for every script, in the format of the corpus."""
    chance = random.Random(SEED)
    manners = (CHINESE, JAPANESE, KOREAN, RUSSIAN)
    return [_record(f"i{number}-{at}", style, chance) for number in range(each) for at, style in enumerate(manners)]


def _record(name: str, script_style: ReferenceStyle, chance: random.Random) -> dict[str, Any]:
    values, raw, spans, end = _values(script_style, chance), "", list[tuple[int, int, str]](), 0
    style = chance.choice(script_style.styles)
    for field in FIELD.finditer(style):
        raw += style[end : field.start()]
        spans.append((len(raw), len(raw) + len(values[field[1]]), LABELS.get(field[1], field[1])))
        raw += values[field[1]]
        end = field.end()
    return {"id": name, "raw": raw + style[end:], "spans": spans, "source": "invented", "doc": "invented"}


def _values(script_style: ReferenceStyle, chance: random.Random) -> dict[str, str]:
    def word(words: str) -> str:
        return chance.choice(words.split()).replace("_", " ")

    space, first = chance.choice(("", "", " ")), chance.randint(1, 900)
    names = [script_style.name.format(word(script_style.families), word(script_style.givens), space) for _ in range(4)]
    count, between = chance.choice((1, 1, 2, 2, 3)), " " if script_style is RUSSIAN else ""
    pages = f"{first}{chance.choice('--–—')}{first + chance.randint(2, 30)}"
    return {
        "author": chance.choice(script_style.joints).join(names[:count]),
        "one": names[0],
        "editor": names[3],
        "title": chance.choice(script_style.titles).format(word(script_style.things), word(script_style.things)),
        "journal": word(script_style.journals[0]) + between + word(script_style.journals[1]),
        "booktitle": word(script_style.books[0]) + between + word(script_style.books[1]),
        "publisher": word(script_style.houses),
        "location": word(script_style.places),
        "school": word(script_style.places)
        + chance.choice(("大学", "师范大学") if script_style is CHINESE else ("대학교",)),
        "date": str(chance.randint(1950, 2023)),
        "volume": str(chance.randint(1, 90)),
        "issue": str(chance.randint(1, 12)),
        "pages": str(first) if chance.random() < 0.1 else pages,
        "url": f"https://www.example.org/{chance.randint(100, 9999)}.html",
    }
