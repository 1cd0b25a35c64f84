"""The stop words of DD and PV, as far as their vocabularies tell.

The authors published the vocabulary and the counts of bbc and bbcsport, not
their stop words. These are the words of the raw texts that are missing there.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

STOP_WORDS = frozenset(
    """
    about above according across actually after afterwards again all almost along
    already also although always am among amongst an and another any anyone anything
    anywhere are arent around as at be became because become becomes becoming been
    being below between both but by can cannot cant co come comes coming could couldnt
    did didnt do does doesnt doing dont down during each either else elsewhere end
    enough etc even ever every everywhere except few for found from further had hadnt
    has hasnt have havent having he hed hence her here heres hes him his how however
    if im in inc indeed instead into is isnt it itll its itself ive last late later
    less let lets like likely ltd made make makes making many may maybe me meantime
    meanwhile might miss more most mostly mr mrs much must my myself namely near
    neither never nevertheless new news next no nobody none nonetheless noone nor not
    now of off often on once one ones only onto or other others otherwise our ours
    ourselves out over own per perhaps rather re said same say saying says seem seemed
    seems several she shes should shouldnt since so some still stop such taking than
    that thats the their theirs them themselves then there thereby therefore theres
    these they theyd theyll theyre theyve this those though thousand through
    throughout thus to together too toward towards under unless unlike unlikely until
    up upon us use used uses using very via was wasnt we wed well were werent weve
    what whatever whats when whenever where whereas whereby wherever whether which
    while who whoever whole whom whos whose why will with within without won wont
    would wouldnt yes yet you youd youll your youre yourself youve
    """.split()
)
