import type { Chance } from './chance.js';

const GIVEN = 'Amira Jonas Keiko Luca Nadia Omar Priya Rosa Sven Tomás Yusuf Zoë'.split(' ');
const FAMILY =
  'Haddad Lindqvist Moreau Nakamura Okafor Petrova Quiroga Rahman Sørensen Vogel Whitfield'.split(' ');
const HOUSES = 'Alder Beacon Cobalt Delta Ember Foxglove Granite Juniper Larkspur Northgate'.split(' ');
const TRADES = ['Supplies', 'Trading', 'Components', 'Logistics', 'Interiors', 'Instruments'];
const FORMS = ['GmbH', 'Ltd', 'LLC', 'SA', 'AG', 'WLL'];

const DAMAGED =
  'carpet|ceiling|boiler|bicycle|laptop|sofa|window frame|front door|roof tiles|camera|freezer|piano'.split(
    '|',
  );
const DONE = 'Repair of|Replacement of|Cleaning of|Drying of|Storage of|Inspection of'.split('|');
const GOODS =
  'rack unit|patch cable|shelf bracket|power strip|blanking plate|cage nut set|fan tray|cable duct|rail kit'.split(
    '|',
  );
const FINISH = 'black|white|galvanised|short|long|left|right|shielded|flat|reinforced'.split('|');
const LONG_TAIL =
  ', including collection at the site by appointment, testing by two technicians in the workshop, a written report on the condition of every part with photographs, packing for transport, insurance on the way';

export const personName = (chance: Chance): string => `${chance.one(GIVEN)} ${chance.one(FAMILY)}`;

export const companyName = (chance: Chance): string =>
  `${chance.one(HOUSES)} ${chance.one(TRADES)} ${chance.one(FORMS)}`;

/** `count` different companies. */
export function companyNames(chance: Chance, count: number): string[] {
  const names = new Set<string>();
  while (names.size < count) names.add(companyName(chance));
  return [...names];
}

export function damageText(chance: Chance, long: boolean): string {
  return `${chance.one(DONE)} ${chance.one(DAMAGED)}, room ${chance.whole(1, 40)}${long ? LONG_TAIL : ''}`;
}

/** Goods with a size: in inches as the trade writes them (19"), or in centimetres. */
export function goodsText(chance: Chance, inches: boolean, long: boolean): string {
  const good = chance.one(GOODS);
  const name = `${good.charAt(0).toUpperCase()}${good.slice(1)}, ${chance.one(FINISH)}`;
  const size = inches ? `${chance.whole(10, 23)}"` : `${chance.whole(2, 90)} cm`;
  return `${name}, ${size}${long ? LONG_TAIL : ''}`;
}
