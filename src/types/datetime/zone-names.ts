/**
 * Abbreviations that time zones use for their offsets since 1970, for the pattern TZ of to_char. Zones that are not
 * listed have none but their offset, such as +03 or -0330.
 * Source: PostgreSQL 15, `to_char(…, 'TZ')` of a server for every zone and nine days from 1970 to 2037.
 */

/** `EST=-18000 EDT=-14400`: offsets in seconds east and their abbreviations, and the zones that use them. */
export const abbreviationsByOffset: readonly (readonly [string, string])[] = [
  [
    "GMT=0",
    "africa/abidjan africa/accra africa/bamako africa/banjul africa/bissau africa/conakry africa/dakar africa/freetown africa/lome africa/monrovia africa/nouakchott africa/ouagadougou africa/sao_tome africa/timbuktu america/danmarkshavn atlantic/reykjavik atlantic/st_helena etc/gmt etc/gmt+0 etc/gmt-0 etc/gmt0 etc/greenwich gmt gmt+0 gmt-0 gmt0 greenwich iceland",
  ],
  [
    "EAT=10800",
    "africa/addis_ababa africa/asmara africa/asmera africa/dar_es_salaam africa/djibouti africa/kampala africa/mogadishu africa/nairobi indian/antananarivo indian/comoro indian/mayotte",
  ],
  ["CET=3600", "africa/algiers africa/tunis"],
  [
    "WAT=3600",
    "africa/bangui africa/brazzaville africa/douala africa/kinshasa africa/lagos africa/libreville africa/luanda africa/malabo africa/ndjamena africa/niamey africa/porto-novo",
  ],
  [
    "CAT=7200",
    "africa/blantyre africa/bujumbura africa/gaborone africa/harare africa/juba africa/khartoum africa/kigali africa/lubumbashi africa/lusaka africa/maputo africa/windhoek",
  ],
  [
    "EET=7200 EEST=10800",
    "africa/cairo asia/beirut asia/famagusta asia/gaza asia/hebron asia/nicosia eet egypt europe/athens europe/bucharest europe/chisinau europe/helsinki europe/kiev europe/kyiv europe/mariehamn europe/nicosia europe/riga europe/sofia europe/tallinn europe/tiraspol europe/uzhgorod europe/vilnius europe/zaporozhye",
  ],
  [
    "CET=3600 CEST=7200",
    "africa/ceuta arctic/longyearbyen atlantic/jan_mayen cet europe/amsterdam europe/andorra europe/belgrade europe/berlin europe/bratislava europe/brussels europe/budapest europe/busingen europe/copenhagen europe/gibraltar europe/ljubljana europe/luxembourg europe/madrid europe/malta europe/monaco europe/oslo europe/paris europe/podgorica europe/prague europe/rome europe/san_marino europe/sarajevo europe/skopje europe/stockholm europe/tirane europe/vaduz europe/vatican europe/vienna europe/warsaw europe/zagreb europe/zurich poland",
  ],
  ["SAST=7200", "africa/johannesburg africa/maseru africa/mbabane"],
  ["EET=7200", "africa/tripoli europe/kaliningrad libya"],
  ["HST=-36000 HDT=-32400", "america/adak america/atka us/aleutian"],
  [
    "AKST=-32400 AKDT=-28800",
    "america/anchorage america/juneau america/metlakatla america/nome america/sitka america/yakutat us/alaska",
  ],
  [
    "AST=-14400",
    "america/anguilla america/antigua america/aruba america/barbados america/blanc-sablon america/curacao america/dominica america/grenada america/guadeloupe america/kralendijk america/lower_princes america/marigot america/martinique america/montserrat america/port_of_spain america/puerto_rico america/santo_domingo america/st_barthelemy america/st_kitts america/st_lucia america/st_thomas america/st_vincent america/tortola america/virgin",
  ],
  [
    "EST=-18000",
    "america/atikokan america/cancun america/cayman america/coral_harbour america/jamaica america/panama est jamaica",
  ],
  [
    "CST=-21600",
    "america/bahia_banderas america/belize america/chihuahua america/costa_rica america/el_salvador america/guatemala america/managua america/merida america/mexico_city america/monterrey america/regina america/swift_current america/tegucigalpa canada/saskatchewan mexico/general",
  ],
  [
    "MST=-25200 MDT=-21600",
    "america/boise america/cambridge_bay america/ciudad_juarez america/denver america/edmonton america/inuvik america/shiprock america/yellowknife canada/mountain mst7mdt navajo us/mountain",
  ],
  [
    "CST=-21600 CDT=-18000",
    "america/chicago america/indiana/knox america/indiana/tell_city america/knox_in america/matamoros america/menominee america/north_dakota/beulah america/north_dakota/center america/north_dakota/new_salem america/ojinaga america/rainy_river america/rankin_inlet america/resolute america/winnipeg cst6cdt canada/central us/central us/indiana-starke",
  ],
  [
    "MST=-25200",
    "america/creston america/dawson america/dawson_creek america/fort_nelson america/hermosillo america/mazatlan america/phoenix america/whitehorse canada/yukon mst mexico/bajasur us/arizona",
  ],
  [
    "EST=-18000 EDT=-14400",
    "america/detroit america/fort_wayne america/grand_turk america/indiana/indianapolis america/indiana/marengo america/indiana/petersburg america/indiana/vevay america/indiana/vincennes america/indiana/winamac america/indianapolis america/iqaluit america/kentucky/louisville america/kentucky/monticello america/louisville america/montreal america/nassau america/new_york america/nipigon america/pangnirtung america/port-au-prince america/thunder_bay america/toronto canada/eastern est5edt us/east-indiana us/eastern us/michigan",
  ],
  [
    "PST=-28800 PDT=-25200",
    "america/ensenada america/los_angeles america/santa_isabel america/tijuana america/vancouver canada/pacific mexico/bajanorte pst8pdt us/pacific",
  ],
  [
    "AST=-14400 ADT=-10800",
    "america/glace_bay america/goose_bay america/halifax america/moncton america/thule atlantic/bermuda canada/atlantic",
  ],
  ["CST=-18000 CDT=-14400", "america/havana cuba"],
  ["NST=-12600 NDT=-9000", "america/st_johns canada/newfoundland"],
  [
    "AEDT=39600 AEST=36000",
    "antarctica/macquarie australia/act australia/canberra australia/currie australia/hobart australia/melbourne australia/nsw australia/sydney australia/tasmania australia/victoria",
  ],
  ["NZDT=46800 NZST=43200", "antarctica/mcmurdo antarctica/south_pole nz pacific/auckland"],
  ["IST=19800", "asia/calcutta asia/kolkata"],
  ["CST=28800", "asia/chongqing asia/chungking asia/harbin asia/macao asia/macau asia/shanghai asia/taipei prc roc"],
  ["HKT=28800", "asia/hong_kong hongkong"],
  ["WIB=25200", "asia/jakarta asia/pontianak"],
  ["WIT=32400", "asia/jayapura"],
  ["IST=7200 IDT=10800", "asia/jerusalem asia/tel_aviv israel"],
  ["PKT=18000", "asia/karachi"],
  ["WITA=28800", "asia/makassar asia/ujung_pandang"],
  ["PST=28800", "asia/manila"],
  ["KST=32400", "asia/pyongyang asia/seoul rok"],
  ["JST=32400", "asia/tokyo japan"],
  ["WET=0 WEST=3600", "atlantic/canary atlantic/faeroe atlantic/faroe atlantic/madeira europe/lisbon portugal wet"],
  ["ACDT=37800 ACST=34200", "australia/adelaide australia/broken_hill australia/south australia/yancowinna"],
  ["AEST=36000", "australia/brisbane australia/lindeman australia/queensland"],
  ["ACST=34200", "australia/darwin australia/north"],
  ["AWST=28800", "australia/perth australia/west"],
  ["GMT=0 IST=3600", "eire europe/dublin"],
  ["UTC=0", "etc/uct etc/utc etc/universal etc/zulu uct utc universal zulu"],
  ["GMT=0 BST=3600", "europe/belfast europe/guernsey europe/isle_of_man europe/jersey europe/london gb gb-eire"],
  ["MSK=10800", "europe/kirov europe/moscow europe/simferopol europe/volgograd w-su"],
  ["HST=-36000", "hst pacific/honolulu pacific/johnston us/hawaii"],
  ["MET=3600 MEST=7200", "met"],
  ["ChST=36000", "pacific/guam pacific/saipan"],
  ["SST=-39600", "pacific/midway pacific/pago_pago pacific/samoa us/samoa"],
];

/** Zones that used other abbreviations for these offsets before a year. */
export const abbreviationsSince: readonly (readonly [number, string])[] = [
  [1972, "asia/karachi"],
  [1973, "america/dawson_creek"],
  [1974, "america/menominee"],
  [1975, "america/indiana/marengo america/kentucky/louisville america/louisville"],
  [1977, "antarctica/rothera"],
  [1979, "africa/ceuta america/inuvik"],
  [1981, "africa/algiers america/miquelon"],
  [1982, "australia/lhi australia/lord_howe"],
  [
    1984,
    "america/adak america/anchorage america/atka america/juneau america/nome america/sitka america/yakutat us/alaska us/aleutian",
  ],
  [1990, "europe/riga europe/tallinn"],
  [1991, "africa/windhoek europe/chisinau europe/kiev europe/kyiv europe/tiraspol europe/uzhgorod europe/zaporozhye"],
  [1992, "europe/moscow w-su"],
  [1993, "america/north_dakota/center"],
  [1994, "atlantic/azores"],
  [1995, "antarctica/vostok"],
  [1996, "asia/gaza asia/hebron"],
  [1997, "europe/lisbon portugal"],
  [2000, "europe/vilnius"],
  [2001, "america/iqaluit america/kentucky/monticello america/pangnirtung pacific/guam pacific/saipan"],
  [2002, "america/cambridge_bay america/rankin_inlet"],
  [2004, "america/north_dakota/new_salem"],
  [2006, "antarctica/troll"],
  [2007, "america/indiana/knox america/indiana/tell_city america/indiana/winamac america/knox_in us/indiana-starke"],
  [2008, "america/indiana/petersburg america/indiana/vincennes america/resolute"],
  [2010, "america/bahia_banderas"],
  [2011, "america/north_dakota/beulah"],
  [2012, "europe/minsk"],
  [2014, "africa/tripoli europe/simferopol libya"],
  [2015, "america/cancun america/fort_nelson"],
  [2017, "asia/istanbul europe/istanbul turkey"],
  [2018, "asia/famagusta"],
  [2019, "america/grand_turk"],
  [2020, "america/metlakatla"],
  [2021, "america/dawson america/whitehorse canada/yukon"],
  [2023, "america/chihuahua america/ciudad_juarez america/ojinaga asia/amman asia/damascus"],
];
