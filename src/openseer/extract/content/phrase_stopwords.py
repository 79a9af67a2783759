"""Words that neither begin nor end a term, in addition to the stop words of language detection."""

from __future__ import annotations

from openseer.extract.layout.language import STOP_WORDS

MORE = """
about above after again all almost along already also although always among any because been before being below
between both but cannot could did do does done during each either etc even every few first further had has he
hence her here him his how however if into its itself less like many may might more most much must near neither
never next nor now off often one only other others our out over own per quite rather same second several she
should since so some still such than their them then there these they third those though three through thus too
two under until up upon us use used uses using very via want wants well what when where whether while who whom
whose why will within without would yet you your
aber alle allem allen aller alles ander andere anderen bei beim bereits bis bzw da dabei dadurch daher damit
dann daran dazu denen denn deren dessen diese diesem diesen dieser dieses doch dort durch eher einem einen einer
eines einige etwa gegen haben hatte hatten hier hin hinter ihm ihn ihnen ihr ihre ihrem ihren ihrer immer indem
insgesamt ja jede jedem jeden jeder jedes jedoch jene kann kein keine können könnte mehr mit muss müssen nach
neben noch nur ob oder ohne schon sehr sein seine seinem seinen seiner seit sie sind so sollte sowie statt trotz
über um und uns unter viel vom vor war waren was weil weiter welche welchem welchen welcher wenn wer werden wie
wieder wir wird wo wobei wurde wurden zum zur zwar zwei zwischen
ainsi alors après aucun aussi autre autres avant avoir car cela celle celui ces cet comme comment donc dont elle
elles entre être fait faut ils leur leurs lors lorsque mais même moins nous ont peut peuvent quand sans ses si
son sous tous tout toute toutes très vers vous était
ante aunque bajo cada cual cuando desde donde durante ella ellos era esa ese eso esta estas esto estos fue
fueron hacia hasta hay las los muy nos otra otro otros porque puede pueden según ser si sin sobre solo también
tanto tiene tienen todo todos una unas uno unos ya
ainda além antes apenas aos aquele assim até bem cada com cujo dela dele depois desde deste disso ela ele eles
em entre era essa esse esta estas este estes foi foram há isso isto já lhe mesmo muito nas nem nos onde outra
outro outros para pela pelas pelos pode podem qual quando quem ser seus sob sobre suas também tem têm toda todo
todos uma
anche ancora allo agli ai alle altri altro avere ciò come cosa così cui dal dalla dalle degli dell dello dopo
dove essere fino fra hanno invece loro ma mentre nei nella nelle nello ogni oppure perché però poi quale quali
quando quella quelle quello questa queste questi questo se senza solo sono stata stato sua sue sugli sul sulla
suo tra tutti tutto una uno
"""
SMALL_WORDS = STOP_WORDS | frozenset(MORE.split())
