"""The sources that measures cite, by key."""

SOURCES = {
    "agrawal-2009": "Agrawal, Gollapudi, Halverson, Ieong: Diversifying search results. WSDM 2009.",
    "azzopardi-2019": (
        "Azzopardi, Thomas, Moffat: cwl_eval: An evaluation tool for information retrieval. SIGIR "
        "2019."
    ),
    "azzopardi-2021": (
        "Azzopardi, Mackenzie, Moffat: ERR is not C/W/L: Exploring the relationship between "
        "expected reciprocal rank and other metrics. ICTIR 2021."
    ),
    "brodersen-2010": (
        "Brodersen, Ong, Stephan, Buhmann: The balanced accuracy and its posterior distribution. "
        "ICPR 2010."
    ),
    "buckley-voorhees-2004": (
        "Buckley, Voorhees: Retrieval evaluation with incomplete information. SIGIR 2004."
    ),
    "burges-2005": "Burges et al.: Learning to rank using gradient descent. ICML 2005.",
    "chapelle-2009": (
        "Chapelle, Metzler, Zhang, Grinspan: Expected reciprocal rank for graded relevance. CIKM "
        "2009."
    ),
    "chapelle-2011": (
        "Chapelle, Ji, Liao, Velipasaoglu, Lai, Wu: Intent-based diversification of web search "
        "results: metrics and algorithms. Information Retrieval 14(6), 2011."
    ),
    "clarke-2008": (
        "Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher, MacKinnon: Novelty and diversity "
        "in information retrieval evaluation. SIGIR 2008."
    ),
    "clarke-2009": (
        "Clarke, Kolla, Vechtomova: An effectiveness measure for ambiguous and underspecified "
        "queries. ICTIR 2009."
    ),
    "clarke-2021": "Clarke, Vtyurina, Smucker: Assessing top-k preferences. ACM TOIS 39(3), 2021.",
    "cohen-1960": (
        "Cohen: A coefficient of agreement for nominal scales. Educational and Psychological "
        "Measurement 20(1), 1960."
    ),
    "cohen-1968": (
        "Cohen: Weighted kappa: nominal scale agreement with provision for scaled disagreement or "
        "partial credit. Psychological Bulletin 70(4), 1968."
    ),
    "davis-goadrich-2006": (
        "Davis, Goadrich: The relationship between precision-recall and ROC curves. ICML 2006."
    ),
    "deeks-altman-2004": "Deeks, Altman: Diagnostic tests 4: likelihood ratios. BMJ 329, 2004.",
    "eban-2017": (
        "Eban, Schain, Mackey, Gordon, Saurous, Elidan: Scalable learning of non-decomposable "
        "objectives. AISTATS 2017."
    ),
    "engelmann-2003": "Engelmann, Hayden, Tasche: Testing rating accuracy. Risk 16(1), 2003.",
    "flach-kull-2015": (
        "Flach, Kull: Precision-recall-gain curves: PR analysis done right. NIPS 2015."
    ),
    "fowlkes-mallows-1983": (
        "Fowlkes, Mallows: A method for comparing two hierarchical clusterings. JASA 78(383), 1983."
    ),
    "glas-2003": (
        "Glas, Lijmer, Prins, Bonsel, Bossuyt: The diagnostic odds ratio: a single indicator of "
        "test performance. Journal of Clinical Epidemiology 56(11), 2003."
    ),
    "gorodkin-2004": (
        "Gorodkin: Comparing two K-category assignments by a K-category correlation coefficient. "
        "Computational Biology and Chemistry 28, 2004."
    ),
    "hand-till-2001": (
        "Hand, Till: A simple generalisation of the area under the ROC curve for multiple class "
        "classification problems. Machine Learning 45, 2001."
    ),
    "hanley-mcneil-1982": (
        "Hanley, McNeil: The meaning and use of the area under a receiver operating "
        "characteristic (ROC) curve. Radiology 143(1), 1982."
    ),
    "hull-robertson-1999": (
        "Hull, Robertson: The TREC-8 filtering track final report. TREC-8, 1999."
    ),
    "jaccard-1912": (
        "Jaccard: The distribution of the flora in the alpine zone. New Phytologist 11(2), 1912."
    ),
    "jarvelin-kekalainen-2002": (
        "Järvelin, Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), "
        "2002."
    ),
    "joachims-1998": "Joachims: Text categorization with support vector machines. ECML 1998.",
    "keilwagen-2014": (
        "Keilwagen, Grosse, Grau: Area under precision-recall curves for weighted and unweighted "
        "data. PLOS ONE 9(3), 2014."
    ),
    "kerr-2016": (
        "Kerr, Brown, Zhu, Janes: Assessing the clinical impact of risk prediction models with "
        "decision curves. Journal of Clinical Oncology 34(21), 2016."
    ),
    "kubat-matwin-1997": (
        "Kubat, Matwin: Addressing the curse of imbalanced training sets: one-sided selection. "
        "ICML 1997."
    ),
    "lewis-1992": (
        "Lewis: An evaluation of phrasal and clustered representations on a text categorization "
        "task. SIGIR 1992."
    ),
    "lewis-1995": (
        "Lewis: Evaluating and optimizing autonomous text classification systems. SIGIR 1995."
    ),
    "macavaney-2022": (
        "MacAvaney, Macdonald, Ounis: Streamlining evaluation with ir-measures. ECIR 2022."
    ),
    "matthews-1975": (
        "Matthews: Comparison of the predicted and observed secondary structure of T4 phage "
        "lysozyme. BBA 405(2), 1975."
    ),
    "mcclish-1989": (
        "McClish: Analyzing a portion of the ROC curve. Medical Decision Making 9(3), 1989."
    ),
    "moffat-2012": (
        "Moffat, Scholer, Thomas: Models and metrics: IR evaluation as a user process. ADCS 2012."
    ),
    "moffat-2015": (
        "Moffat, Bailey, Scholer, Thomas: INST: An adaptive metric for information retrieval "
        "evaluation. ADCS 2015."
    ),
    "moffat-zobel-2008": (
        "Moffat, Zobel: Rank-biased precision for measurement of retrieval effectiveness. ACM "
        "TOIS 27(1), 2008."
    ),
    "ndeval": "Clarke: ndeval, 4.5. TREC web track, 2013.",
    "robertson-2006": "Robertson: On GMAP, and other transformations. CIKM 2006.",
    "sakai-2007": "Sakai: Alternatives to bpref. SIGIR 2007.",
    "sakai-robertson-2008": (
        "Sakai, Robertson: Modelling a user population for designing information retrieval "
        "metrics. EVIA 2008."
    ),
    "smirnov-1948": (
        "Smirnov: Table for estimating the goodness of fit of empirical distributions. Annals of "
        "Mathematical Statistics 19(2), 1948."
    ),
    "sokolova-lapalme-2009": (
        "Sokolova, Lapalme: A systematic analysis of performance measures for classification "
        "tasks. Information Processing & Management 45(4), 2009."
    ),
    "trec_eval": "Buckley et al.: trec_eval, 10.0. NIST, 2026.",
    "truchon-bayly-2007": (
        "Truchon, Bayly: Evaluating virtual screening methods: good and bad metrics for the "
        '"early recognition" problem. Journal of Chemical Information and Modeling 47(2), 2007.'
    ),
    "tsoumakas-2010": (
        "Tsoumakas, Katakis, Vlahavas: Mining multi-label data. Data Mining and Knowledge "
        "Discovery Handbook, 2010."
    ),
    "van-rijsbergen-1979": (
        "van Rijsbergen: Information Retrieval, 2nd ed., ch. 7. Butterworths, 1979."
    ),
    "vickers-elkin-2006": (
        "Vickers, Elkin: Decision curve analysis: a novel method for evaluating prediction models. "
        "Medical Decision Making 26(6), 2006."
    ),
    "voorhees-1999": "Voorhees: The TREC-8 question answering track report. TREC-8, 1999.",
    "voorhees-harman-2005": (
        "Voorhees, Harman (eds.): TREC: Experiment and Evaluation in Information Retrieval, ch. "
        "3. MIT Press, 2005."
    ),
    "yang-2001": "Yang: A study of thresholding strategies for text categorization. SIGIR 2001.",
    "yilmaz-aslam-2006": (
        "Yilmaz, Aslam: Estimating average precision with incomplete and imperfect judgments. "
        "CIKM 2006."
    ),
    "youden-1950": "Youden: Index for rating diagnostic tests. Cancer 3(1), 1950.",
    "zhai-2003": (
        "Zhai, Cohen, Lafferty: Beyond independent relevance: methods and evaluation metrics for "
        "subtopic retrieval. SIGIR 2003."
    ),
    "zhang-2017": (
        "Zhang, Liu, Li, Zhang, Xu, Ma: Evaluating web search with a bejeweled player model. "
        "SIGIR 2017."
    ),
    "zhang-su-2012": (
        "Zhang, Su: Statistical inference on recall, precision and average precision under random "
        "selection. FSKD 2012."
    ),
}
