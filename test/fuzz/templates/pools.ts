/** Texts that templates choose from. */
export const pools = {
  like: [
    ...["a%", "%a%", "%e", "_a%", "%o_", "%", "", "B%b", "%\\%%", "%é%", "%an%", "%@example.com", "A_-%", "open"],
    ...["%progress%", "% %", "%'%", "____"],
  ],
  regex: [
    ...[
      "^[A-Z]",
      "\\d+",
      "a.*e",
      "(Bob|Eve)",
      "[[:digit:]]+",
      "o$",
      "^.{3}$",
      "^[a-z]+$",
      "\\w+@\\w+\\.\\w+",
      "[^a-z ]",
    ],
    ...["^$", "(a|e)(l|v)", "\\s", "e{2,}", "^[^A]", "\\ye", "x*", "\\.", "\\m[a-e]"],
  ],
  similar: ["%(a|e)%", "[A-D]%", "_ob", "%[0-9]+", "A%|B%", "(Al|Bo)_*", "%"],
  tz: ["UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Asia/Tokyo", "Australia/Lord_Howe"],
  dateFormat: [
    ...["YYYY-MM-DD", "YYYY-MM", "Mon YYYY", "HH24:MI", "Day", "DD/MM/YYYY", "YYYY", "FMMonth DD, YYYY", "Dy"],
    "YYYY-MM-DD HH24:MI:SS",
  ],
  oddDateFormat: [
    ...['IYYY-"W"IW', "HH12:MI AM", "D DDD J", "MS US", 'YYYY"Q"Q', "FMDay, FMDDth FMMonth", "WW W", "CC", "Y,YYY"],
    ...["DAY Month mon", "yy.mm.dd", "HH:MI:SS.MS", "SSSS", "FMHH24hFMMI", "RM", "BC AD", "ID", "TZ OF"],
  ],
  numberFormat: ["999,999.99", "FM999990.00", "0000", "FM999,999,999", "99999", "$99999.99", "FM9999.0"],
  oddNumberFormat: [
    ...["S99999.9", "9999MI", "99999PR", "9.99EEEE", "RN", "99999.9%", "0999.9", "FMS999", "FM9.999", "L999"],
    ...["999D99", "9G999", "99th", "9V9"],
  ],
  sep: [", ", ",", " ", "-", "", "|", "; "],
  jsonPath: [
    ...["$.n", "$.tags[*]", "$.meta.a", "$.meta.*", "$.**", "$.tags[0]", "$.meta.a + 1", "$.n ? (@ > 10)"],
    ...['$.tags[*] ? (@ == "red")', "$.name", "$.tags.size()", "$.name.type()", "$.meta.deep.k[last]"],
    ...['$.tags[*] ? (@ starts with "u")', '$.name ? (@ like_regex "^[A-D]")'],
  ],
  jsonPredicate: [
    ...["$.n > 10", "$.meta.a == 1", '$.name == "Bob"', "exists($.meta.deep)", '$.tags[*] == "bug"'],
    "$.meta.ok == true && $.n < 100",
  ],
  key: ["n", "name", "tags", "meta", "x", "a", "missing"],
  jsonSteps: ["{meta,a}", "{tags,0}", "{name}", "{meta,deep,k,1,z}", "{tags,-1}", "{}", "{meta}", "{missing,x}"],
  trimmed: ["a", " ", "ae", "xyz", "-", "A"],
} as const satisfies Record<string, readonly string[]>;

export type PoolName = keyof typeof pools;
