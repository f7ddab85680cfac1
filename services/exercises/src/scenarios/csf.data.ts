/**
 * Categories of NIST CSF 2.0 (https://doi.org/10.6028/NIST.CSWP.29) with the numbers of their subcategories; a number
 * missing in a row was withdrawn.
 */
const CATEGORIES: Readonly<Record<string, readonly number[]>> = {
  'GV.OC': [1, 2, 3, 4, 5],
  'GV.RM': [1, 2, 3, 4, 5, 6, 7],
  'GV.RR': [1, 2, 3, 4],
  'GV.PO': [1, 2],
  'GV.OV': [1, 2, 3],
  'GV.SC': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  'ID.AM': [1, 2, 3, 4, 5, 7, 8],
  'ID.RA': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  'ID.IM': [1, 2, 3, 4],
  'PR.AA': [1, 2, 3, 4, 5, 6],
  'PR.AT': [1, 2],
  'PR.DS': [1, 2, 10, 11],
  'PR.PS': [1, 2, 3, 4, 5, 6],
  'PR.IR': [1, 2, 3, 4],
  'DE.CM': [1, 2, 3, 6, 9],
  'DE.AE': [2, 3, 4, 6, 7, 8],
  'RS.MA': [1, 2, 3, 4, 5],
  'RS.AN': [3, 6, 7, 8],
  'RS.CO': [2, 3],
  'RS.MI': [1, 2],
  'RC.RP': [1, 2, 3, 4, 5, 6],
  'RC.CO': [3, 4],
};

/** How a scenario names this framework. */
export const CSF = 'nist-csf-2.0';

/** The ids of the 106 subcategories, such as `RS.MA-01`. */
export const CSF_SUBCATEGORIES: ReadonlySet<string> = new Set(
  Object.entries(CATEGORIES).flatMap(([category, numbers]) =>
    numbers.map((number) => `${category}-${String(number).padStart(2, '0')}`),
  ),
);
