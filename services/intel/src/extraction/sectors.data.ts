/** Who is meant by which words; the names are those of the scenarios' industries. */
export const SECTORS: readonly [string, string][] = [
  [
    'healthcare',
    'health ?care|hospitals?|health sector|medical (?:centers?|facilities|providers|device)|clinics|patients',
  ],
  [
    'financial services',
    'financial (?:services|sector|institutions?|organi[sz]ations?|firms?|industry)|banks|banking|credit unions|fintech|payment processors|cryptocurrency exchanges',
  ],
  ['insurance', 'insurers|insurance (?:sector|companies|industry|firms?|carriers)'],
  [
    'public sector',
    'governments?|government (?:agencies|entities|sector|organi[sz]ations?|networks)|public sector|federal agencies|state and local|municipalit(?:y|ies)|ministr(?:y|ies)|embassies|diplomatic',
  ],
  [
    'defense',
    'defen[cs]e (?:sector|contractors?|industrial base|industry|companies|organi[sz]ations?)|military',
  ],
  [
    'education',
    'education(?:al)? (?:sector|institutions?|facilities|industry)|schools|universit(?:y|ies)|higher education|k-12|academia',
  ],
  [
    'energy',
    'energy (?:sector|companies|industry|providers|organi[sz]ations?)|electric(?:ity)? (?:utilit(?:y|ies)|grid|sector|operators?|companies)|oil and gas|power (?:grid|plants?|companies|utilities)|nuclear (?:sector|facilities|plants?)',
  ],
  ['water', 'water (?:and wastewater|utilities|sector|treatment|systems sector|facilities)|wastewater'],
  [
    'manufacturing',
    'manufactur(?:ing|ers?)|industrial (?:sector|companies|organi[sz]ations?)|automotive|semiconductors?|critical manufacturing',
  ],
  ['pharmaceuticals', 'pharmaceuticals?|pharma|biotech(?:nology)?'],
  [
    'technology',
    'technology (?:sector|companies|industry|firms?)|tech (?:companies|firms?|sector)|software (?:companies|vendors|industry)|it (?:sector|service providers|services|companies)|managed service providers|msps|cloud providers|information technology',
  ],
  [
    'telecommunications',
    'telecom(?:munication)?s?(?: (?:sector|providers|companies|operators|industry))?|internet service providers|mobile operators',
  ],
  ['retail', 'retail(?:ers?)?|e-commerce|online stores|consumer goods'],
  ['hospitality', 'hospitality|hotels?|casinos?|restaurants'],
  ['travel', 'airlines|airports|travel (?:sector|industry|agencies)'],
  [
    'logistics',
    'logistics|transportation|shipping (?:companies|industry)|maritime|freight|rail(?:ways?)|aviation',
  ],
  [
    'media',
    'media (?:organi[sz]ations?|companies|sector|outlets)|journalists|news organi[sz]ations?|broadcasters',
  ],
  [
    'professional services',
    'law firms|legal (?:sector|services)|consult(?:ing|ancies)|professional services|accounting firms',
  ],
  ['construction', 'construction (?:sector|companies|industry|firms?)|engineering firms'],
  [
    'food and agriculture',
    'agricultur(?:e|al)|food (?:and agriculture|sector|production|industry|producers)',
  ],
  ['nonprofit', 'non-?profits?|ngos?|non-governmental|charities|think tanks|human rights'],
  ['aerospace', 'aerospace|satellite (?:operators|companies)|space (?:sector|industry)'],
];
