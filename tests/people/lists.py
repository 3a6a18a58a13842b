"""Ordinary given names and surnames of several languages, and names made of them as people there are named."""

from __future__ import annotations

from random import Random
from typing import NamedTuple


class Language(NamedTuple):
    given: tuple[str, ...]
    family: tuple[str, ...]
    form: str  # G a given name, F a surname; what stands in it otherwise stands in the name


def _of(given: str, family: str, *, form: str = "G F") -> Language:
    return Language(tuple(given.split()), tuple(family.split()), form)


LANGUAGES = {
    "English": _of(
        "James John Mary Robert Linda Michael Karen William Susan David Lisa Richard Nancy Joseph Betty "
        "Thomas Helen Daniel Sandra Matthew Donna Anthony Carol Mark Ruth Steven Sharon Paul Amy Andrew Emma "
        "Joshua Grace Kevin Brian Laura George Edward Ronald Timothy",
        "Smith Johnson Williams Brown Jones Miller Davis Wilson Anderson Taylor Moore Jackson Martin Thompson "
        "White Harris Clark Lewis Robinson Walker Young Allen King Wright Scott Hill Green Adams Baker Nelson "
        "Carter Mitchell Roberts Turner Phillips Campbell Parker Evans Edwards O'Brien",
    ),
    "Spanish": _of(
        "José María Antonio Carmen Manuel Josefa Francisco Isabel Juan Ana David Laura Javier Marta Daniel "
        "Cristina Carlos Lucía Miguel Pilar Rafael Elena Pedro Rosa Ángel Raquel Alejandro Sara Fernando "
        "Paula Sergio Irene Jorge Beatriz Luis Silvia Álvaro Rocío Óscar Nuria",
        "García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Martín Jiménez Ruiz Hernández "
        "Díaz Moreno Muñoz Álvarez Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez Ramos Gil Ramírez "
        "Serrano Blanco Molina Morales Suárez Ortega Delgado Castro Ortiz Rubio Marín Sanz Peña",
        form="G F F",
    ),
    "Portuguese": _of(
        "João Maria António Ana Francisco Beatriz Pedro Mariana Tiago Inês Rui Sofia Miguel Catarina Luís "
        "Joana Nuno Marta Paulo Carla Bruno Sandra Hugo Teresa Vítor Helena Gonçalo Rita Diogo Leonor",
        "Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Jesus Sousa Fernandes Gonçalves Gomes "
        "Lopes Marques Alves Almeida Ribeiro Pinto Carvalho Teixeira Moreira Correia Mendes Nunes Soares "
        "Vieira Monteiro Cardoso Rocha",
        form="G F F",
    ),
    "German": _of(
        "Peter Ursula Wolfgang Monika Jürgen Petra Klaus Sabine Jörg Birgit Günter Andrea Stefan Claudia Uwe "
        "Gabriele Thomas Susanne Frank Ulrike Bernd Heike Matthias Anja Björn Nicole Sören Katrin Dieter "
        "Renate",
        "Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer "
        "Richter Klein Wolf Schröder Neumann Schwarz Zimmermann Braun Krüger Hofmann Hartmann Lange Schmitt "
        "Werner Schmitz Krause Weiß",
    ),
    "French": _of(
        "Jean Marie Pierre Monique Michel Catherine André Nathalie Philippe Isabelle René Sylvie Louis "
        "Jacqueline Alain Françoise Jacques Hélène Bernard Valérie Marcel Anne Daniel Christine Roger "
        "Véronique Robert Sandrine François Céline",
        "Martin Bernard Dubois Thomas Robert Richard Petit Durand Leroy Moreau Simon Laurent Lefebvre Michel "
        "Garcia David Bertrand Roux Vincent Fournier Morel Girard André Lefèvre Mercier Dupont Lambert Bonnet "
        "François Martinez",
    ),
    "Polish": _of(
        "Jan Anna Stanisław Maria Andrzej Katarzyna Józef Małgorzata Tadeusz Agnieszka Jerzy Krystyna "
        "Zbigniew Barbara Krzysztof Ewa Henryk Elżbieta Ryszard Zofia Kazimierz Teresa Marek Magdalena Piotr "
        "Joanna Łukasz Paweł Michał Rafał",
        "Nowak Kowalski Wiśniewski Wójcik Kowalczyk Kamiński Lewandowski Zieliński Szymański Woźniak "
        "Dąbrowski Kozłowski Jankowski Mazur Wojciechowski Kwiatkowski Krawczyk Kaczmarek Piotrowski "
        "Grabowski Zając Pawłowski Michalski Król Wieczorek Jabłoński Wróbel Nowakowski Majewski Olszewski",
    ),
    "Czech": _of(
        "Jiří Marie Jan Jana Petr Eva Josef Hana Pavel Anna Jaroslav Věra Martin Lenka Tomáš Alena Miroslav "
        "Kateřina Zdeněk Petra František Lucie Václav Jaroslava Michal Ludmila Karel Helena Lukáš Zdeňka",
        "Novák Nováková Svoboda Svobodová Novotný Novotná Dvořák Dvořáková Černý Černá Procházka Procházková "
        "Kučera Kučerová Veselý Veselá Horák Horáková Němec Němcová Pokorný Marek Pospíšil Hájek Jelínek Král "
        "Růžička Beneš Fiala Sedláček",
    ),
    "Russian": _of(
        "Александр Сергей Владимир Андрей Алексей Дмитрий Николай Иван Михаил Максим Елена Татьяна Наталья "
        "Ольга Ирина Анна Светлана Мария Людмила Юлия Евгений Павел Виктор Роман Антон Галина Екатерина "
        "Марина Анастасия Оксана",
        "Иванов Смирнов Кузнецов Попов Васильев Петров Соколов Михайлов Новиков Фёдоров Морозов Волков "
        "Алексеев Лебедев Семёнов Егоров Павлов Козлов Степанов Николаев Орлов Андреев Макаров Никитин "
        "Захаров Зайцев Соловьёв Борисов Яковлев Григорьев",
    ),
    "Greek": _of(
        "Γιώργος Μαρία Δημήτρης Ελένη Κώστας Κατερίνα Γιάννης Βασιλική Νίκος Σοφία Χρήστος Αγγελική "
        "Παναγιώτης Γεωργία Βασίλης Δήμητρα Αθανάσιος Αναστασία Μιχάλης Ιωάννα",
        "Παπαδόπουλος Βλάχος Αγγελόπουλος Νικολάου Γεωργίου Πέτρου Οικονόμου Ιωάννου Αντωνίου Δημητρίου "
        "Παππάς Κωνσταντίνου Αλεξίου Μακρής Λάμπρου Σταύρου Χριστοδούλου Καραγιάννης Ζήσης Θεοδώρου",
    ),
    "Chinese": _of(
        "伟 芳 娜 敏 静 秀英 丽 强 磊 军 洋 勇 艳 杰 娟 涛 明 "
        "超 秀兰 霞 平 刚 桂英 建国 晓明 志强 文博 子轩 雨桐 浩然",
        "王 李 张 刘 陈 杨 黄 赵 吴 周 徐 孙 马 朱 胡 郭 何 高 林 罗 郑 梁 谢 宋 唐 许 韩 冯 邓 曹",
        form="FG",
    ),
    "Chinese in Latin letters": _of(
        "Wei Fang Na Min Jing Xiuying Li Qiang Lei Jun Yang Yong Yan Jie Juan Tao Ming Chao Xiulan Xia Ping "
        "Gang Guiying Jianguo Xiaoming Zhiqiang Wenbo Zixuan Yutong Haoran",
        "Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Hu Guo He Gao Lin Luo Zheng Liang Xie "
        "Song Tang Han Feng Deng Cao Peng",
    ),
    "Korean": _of(
        "민수 지은 서준 하은 도윤 서연 예준 지우 시우 서현 주원 민서 지호 하윤 준서 수아 건우 지민 현우 채원",
        "김 이 박 최 정 강 조 윤 장 임 한 오 서 신 권 황 안 송 전 홍",
        form="FG",
    ),
    "Japanese": _of(
        "太郎 花子 翔太 陽子 健一 美咲 大輔 由美子 直樹 久美子 拓也 恵子 和也 真由美 誠 智子 隆 裕子 浩 明美",
        "佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤 吉田 山田 佐々木 山口 松本 井上 木村 林 斎藤 清水",
        form="F G",
    ),
    "Vietnamese": _of(
        "Anh Bình Chi Dũng Giang Hà Hải Hạnh Hiếu Hoa Hùng Hương Khánh Lan Linh Long Mai Minh Nam Nga Ngọc "
        "Phúc Quang Sơn Thảo Thu Trang Tuấn Vân Yến",
        "Nguyễn Trần Lê Phạm Hoàng Huỳnh Phan Vũ Võ Đặng Bùi Đỗ Hồ Ngô Dương Lý Đinh Đoàn Trịnh Mai",
        form="F G G",
    ),
    "Arabic": _of(
        "محمد أحمد علي حسن حسين خالد عمر يوسف إبراهيم سعيد فاطمة عائشة مريم زينب ليلى سارة نور هدى سمير كريم "
        "طارق ماجد رامي وليد فيصل",
        "العلي الحسن المصري الخطيب النجار الحداد السيد منصور صالح عثمان حمدان الشامي البغدادي التميمي القرشي "
        "الأنصاري الفارسي الهاشمي الزهراني الغامدي",
    ),
    "Arabic in Latin letters": _of(
        "Mohammed Ahmed Ali Hassan Hussein Khalid Omar Youssef Ibrahim Said Fatima Aisha Maryam Zainab Layla "
        "Sarah Nour Huda Samir Karim Tariq Majid Rami Walid Faisal",
        "Al-Ali Al-Hassan El-Masri Khatib Najjar Haddad El-Sayed Mansour Saleh Othman Hamdan Al-Shami "
        "Baghdadi Tamimi Qureshi Ansari Farsi Hashimi Zahrani Ghamdi",
    ),
    "Turkish": _of(
        "Mehmet Ayşe Mustafa Fatma Ahmet Emine Ali Hatice Hüseyin Zeynep Hasan Elif İbrahim Meryem İsmail "
        "Şerife Osman Zehra Yusuf Sultan Murat Merve Ömer Esra Gökhan Gülşen Çağla Ümit Işıl Burak",
        "Yılmaz Kaya Demir Çelik Şahin Yıldız Yıldırım Öztürk Aydın Özdemir Arslan Doğan Kılıç Aslan Çetin "
        "Kara Koç Kurt Özkan Şimşek",
    ),
    "Hindi": _of(
        "राम सीता मोहन गीता रमेश सुनीता विजय अनीता अजय कविता संजय पूजा राजेश नेहा अमित प्रिया सुरेश रेखा दीपक मीना",
        "शर्मा वर्मा गुप्ता सिंह कुमार यादव मिश्रा पांडेय तिवारी जोशी पटेल चौधरी मेहता अग्रवाल द्विवेदी",
    ),
    "Swedish": _of(
        "Lars Anna Anders Eva Per Karin Mikael Åsa Johan Kristina Karl Elisabet Erik Birgitta Nils Margareta "
        "Jan Sara Björn Malin Göran Jenny Sven Linda Åke Helena Håkan Emma Jörgen Märta",
        "Andersson Johansson Karlsson Nilsson Eriksson Larsson Olsson Persson Svensson Gustafsson Pettersson "
        "Jonsson Jansson Hansson Bengtsson Jönsson Lindberg Jakobsson Magnusson Olofsson Lindström Lindqvist "
        "Lindgren Berg Axelsson Bergström Lundberg Lind Lundgren Åberg",
    ),
}


def drawn(chance: Random, language: str) -> str:
    """A name of that language: its form, filled in."""
    spoken = LANGUAGES[language]
    parts = {"G": spoken.given, "F": spoken.family}
    return "".join(chance.choice(parts[one]) if one in parts else one for one in spoken.form)


def sibling(chance: Random, name: str, language: str) -> str:
    """Somebody with a part of the name: the same family, or a namesake by the given name."""
    spoken = LANGUAGES[language]
    keep = chance.choice("GF")
    other = drawn(chance, language)
    if " " not in spoken.form:
        return name[0] + other[1:] if keep == "F" else other[0] + name[1:]
    places, mine, theirs = spoken.form.split(" "), name.split(" "), other.split(" ")
    return " ".join(m if place == keep else t for place, m, t in zip(places, mine, theirs, strict=True))
