"""The sources that measures cite, by key."""

SOURCES = {
    "buckley-voorhees-2004": "Buckley, Voorhees: Retrieval evaluation with incomplete information. SIGIR 2004.",
    "chapelle-2009": "Chapelle, Metzler, Zhang, Grinspan: Expected reciprocal rank for graded relevance. CIKM 2009.",
    "burges-2005": "Burges et al.: Learning to rank using gradient descent. ICML 2005.",
    "jarvelin-kekalainen-2002": "Järvelin, Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002.",
    "moffat-zobel-2008": "Moffat, Zobel: Rank-biased precision for measurement of retrieval effectiveness. ACM TOIS 27(1), 2008.",
    "robertson-2006": "Robertson: On GMAP, and other transformations. CIKM 2006.",
    "sakai-2007": "Sakai: Alternatives to bpref. SIGIR 2007.",
    "trec_eval": "Buckley et al.: trec_eval, 10.0. NIST, 2026.",
    "van-rijsbergen-1979": "van Rijsbergen: Information Retrieval, 2nd ed., ch. 7. Butterworths, 1979.",
    "voorhees-1999": "Voorhees: The TREC-8 question answering track report. TREC-8, 1999.",
    "voorhees-harman-2005": "Voorhees, Harman (eds.): TREC: Experiment and Evaluation in Information Retrieval, ch. 3. MIT Press, 2005.",
    "yilmaz-aslam-2006": "Yilmaz, Aslam: Estimating average precision with incomplete and imperfect judgments. CIKM 2006.",
    "zhang-su-2012": "Zhang, Su: Statistical inference on recall, precision and average precision under random selection. FSKD 2012.",
}
