/** How a case is given: as the value of a query option, as an expression (`expr`), or as a literal. */
export type Form = '$filter' | '$orderby' | '$select' | '$expand' | '$top' | '$skip' | '$count' | 'expr' | 'literal';

/**
 * The outcome of a case: `parsed`; `syntax`, which the grammar has not either; or why we refuse what the grammar takes.
 */
export type Outcome = 'parsed' | 'syntax' | 'unsupported' | 'unknown_name' | 'wrong_type' | 'limit';

type Cases = Readonly<Partial<Record<Outcome, readonly string[]>>>;

/** Cases over the things of `things.ts`, by the rule of the OData 4.01 grammar (ABNF) that they are about. S6.2 */
export const GRAMMAR: readonly (readonly [rule: string, form: Form, cases: Cases])[] = [
  ['nullValue', 'literal', { parsed: ['null', 'NULL'], unknown_name: ['nil'] }],
  ['booleanValue', 'literal', { parsed: ['true', 'False'], unknown_name: ['yes'] }],
  ['sbyteValue', 'literal', { parsed: ['0', '-7', '+19'], syntax: ['+-3', '6.'] }],
  ['int64Value', 'literal', { parsed: ['9007199254740993', '-88000000001'], limit: ['9'.repeat(80)] }],
  ['decimalValue', 'literal', { parsed: ['6.75', '-0.5', '12E2', '8.5e-3'], syntax: ['.75', '1e', '7e2e3'] }],
  ['nanInfinity', 'literal', { unsupported: ['NaN', 'INF'] }],
  ['string', 'literal', { parsed: ["''", "'harbour'", "'it''s'", "'(a)&b/c?'"], syntax: ["'open", "'it's'"] }],
  [
    'guidValue',
    'literal',
    { parsed: ['7d3f0c12-9b8a-4e6f-a1b2-00c4d5e6f708'], syntax: ['7d3f0c12-9b8a-4e6f-00c4d5e6f708'] },
  ],
  [
    'dateValue',
    'literal',
    { parsed: ['2031-02-28'], syntax: ['2031-02-30'], unsupported: ['0000-05-05', '-12000-05-05'] },
  ],
  [
    'dateTimeOffsetValueInUrl',
    'literal',
    {
      parsed: ['2031-02-28T08:15Z', '2031-02-28T08:15:30Z', '2031-02-28T08:15:30.25Z', '2031-02-28T08:15-05:00'],
      syntax: ['2031-02-28T25:15Z', '2031-02-28T08:61Z', '2031-02-28T08:15+19:00'],
      unsupported: ['0000-02-28T08:15Z'],
    },
  ],
  ['timeOfDayValueInUrl', 'literal', { unsupported: ['08:15', '08:15:30', '08:15:30.5'] }],
  [
    'duration',
    'literal',
    { parsed: ["duration'PT90M'", "duration'-P2DT3H4M5.5S'"], syntax: ["duration'90M'", "duration'P1DT'"] },
  ],
  ['binary', 'literal', { unsupported: ["binary'cmVldmU='"] }],
  ['enum', 'literal', { unsupported: ["Yard.Outcome'hung'"] }],
  ['geographyPoint', 'literal', { unsupported: ["geography'SRID=4326;Point(10.7 59.9)'"] }],

  [
    'eqExpr',
    '$filter',
    {
      parsed: ["name eq 'barge'", 'size eq 12', "outcome eq 'hung'", 'flag eq null'],
      syntax: ["name eq'barge'", 'size eq'],
    },
  ],
  [
    'eqExpr of types that differ',
    '$filter',
    { wrong_type: ["size eq 'barge'", 'flag eq 3', "outcome eq 'sunk'", 'properties eq 4'] },
  ],
  ['neExpr', '$filter', { parsed: ['size ne 12', 'day ne 2031-02-28', 'ref ne null'] }],
  ['ltExpr', '$filter', { parsed: ['ratio lt 0.5', 'started lt 2031-02-28'], wrong_type: ["outcome lt 'hung'"] }],
  ['leExpr', '$filter', { parsed: ['ratio le size', "name LE 'm'"] }],
  ['gtExpr', '$filter', { parsed: ['size gt 3', 'started Gt 2031-02-28T08:15Z'] }],
  ['geExpr', '$filter', { parsed: ['day ge 2031-02-28'], wrong_type: ['size => 3', 'size >= 3'] }],
  ['hasExpr', '$filter', { unsupported: ["outcome has 'hung'"] }],
  [
    'inExpr',
    '$filter',
    {
      parsed: ["name in ('barge','ferry')", 'size in (1, 2 ,3)', 'size in ()'],
      syntax: ["name in ('barge',)", "name in ('barge' 'ferry')"],
    },
  ],
  [
    'inExpr of what is no literal',
    '$filter',
    { unsupported: ['name in (name)', 'name in ["barge"]', 'name in properties'] },
  ],
  [
    'andExpr',
    '$filter',
    { parsed: ['flag and size gt 1', 'flag AND true'], wrong_type: ['flag and size', 'name and flag'] },
  ],
  [
    'orExpr',
    '$filter',
    {
      parsed: ['flag or not flag', 'size eq 1 or size eq 2 or size eq 3'],
      syntax: ['flag or'],
      unknown_name: ['or flag'],
    },
  ],
  [
    'notExpr',
    '$filter',
    { parsed: ['not flag', 'not (size gt 1)', "not startswith(name,'b')"], wrong_type: ['not size'] },
  ],
  ['parenExpr', '$filter', { parsed: ['(flag)', '( ( size ) ) eq 4', '(true)'], syntax: ['(flag', 'flag)', '()'] }],
  [
    'boolCommonExpr',
    '$filter',
    { parsed: ['flag', 'true'], wrong_type: ['size', "'true'", '5 add 2'], syntax: ['', ' flag', 'flag size'] },
  ],

  [
    'addExpr',
    'expr',
    { parsed: ['size add 4', "started add duration'PT5M'"], wrong_type: ['name add 4', 'size add flag'] },
  ],
  ['subExpr', 'expr', { parsed: ['size sub 4', 'size sub 4 sub 4'] }],
  ['mulExpr', 'expr', { parsed: ['ratio mul 2.5', 'size mul size'] }],
  ['divExpr', 'expr', { parsed: ['size div 4'] }],
  ['divbyExpr', 'expr', { parsed: ['size divby 4'] }],
  ['modExpr', 'expr', { parsed: ['size mod 4', '(size add 1) mod (6 sub 2)'] }],
  ['negateExpr', 'expr', { parsed: ['-size', '-(ratio mul 3)', '- size'], wrong_type: ['-name'] }],

  [
    'concatMethodCallExpr',
    'expr',
    {
      parsed: ["concat(name,'!')", "concat( name , 'x' )"],
      wrong_type: ['concat(name,size)'],
      syntax: ['concat(name)'],
    },
  ],
  [
    'containsMethodCallExpr',
    '$filter',
    {
      parsed: ["contains(name,'arg')", "contains(properties/host,'a')"],
      syntax: ["contains(name,'a'", "contains(,'a')"],
    },
  ],
  ['startsWithMethodCallExpr', '$filter', { parsed: ["startswith(name,'b')", "STARTSWITH(name,'b')"] }],
  ['endsWithMethodCallExpr', '$filter', { parsed: ["endswith(name,'e')", "endswith(name,'e') eq false"] }],
  ['indexOfMethodCallExpr', 'expr', { parsed: ["indexof(name,'a') add 1"] }],
  ['lengthMethodCallExpr', 'expr', { parsed: ['length(name)'], wrong_type: ['length(size)'] }],
  [
    'substringMethodCallExpr',
    'expr',
    { parsed: ['substring(name,2)', 'substring(name,2,3)'], syntax: ['substring(name)', 'substring(name,1,2,3)'] },
  ],
  ['toLowerMethodCallExpr', 'expr', { parsed: ['tolower(name)'] }],
  ['toUpperMethodCallExpr', 'expr', { parsed: ['toupper(concat(name,name))'] }],
  ['trimMethodCallExpr', 'expr', { parsed: ['trim(name)'] }],
  ['matchesPatternMethodCallExpr', '$filter', { unsupported: ["matchesPattern(name,'^b')"] }],
  ['hassubsetMethodCallExpr', '$filter', { unsupported: ['hassubset(properties/tags,properties/tags)'] }],
  ['yearMethodCallExpr', 'expr', { parsed: ['year(started)', 'year(day)'], wrong_type: ['year(name)'] }],
  ['monthMethodCallExpr', 'expr', { parsed: ['month(properties/since)'] }],
  ['dayMethodCallExpr', 'expr', { parsed: ['day(day)'] }],
  ['hourMethodCallExpr', 'expr', { parsed: ['hour(started)'], wrong_type: ['hour(day)'] }],
  ['minuteMethodCallExpr', 'expr', { parsed: ['minute(started)'] }],
  ['secondMethodCallExpr', 'expr', { parsed: ['second(started)'] }],
  ['fractionalsecondsMethodCallExpr', 'expr', { parsed: ['fractionalseconds(started)'] }],
  [
    'totalsecondsMethodCallExpr',
    'expr',
    {
      parsed: ["totalseconds(duration'PT5M')", 'totalseconds(now() sub started)'],
      wrong_type: ['totalseconds(started)'],
    },
  ],
  ['dateMethodCallExpr', 'expr', { parsed: ['date(started)'] }],
  ['timeMethodCallExpr', 'expr', { unsupported: ['time(started)'] }],
  ['totalOffsetMinutesMethodCallExpr', 'expr', { unsupported: ['totaloffsetminutes(started)'] }],
  ['maxDateTimeMethodCallExpr', 'expr', { unsupported: ['maxdatetime()', 'mindatetime( )'] }],
  ['nowMethodCallExpr', 'expr', { parsed: ['now()', 'now( )'], syntax: ['now(1)'] }],
  ['roundMethodCallExpr', 'expr', { parsed: ['round(ratio)'] }],
  ['floorMethodCallExpr', 'expr', { parsed: ['floor(ratio)'] }],
  ['ceilingMethodCallExpr', 'expr', { parsed: ['ceiling(ratio)'] }],
  ['distanceMethodCallExpr', '$filter', { unsupported: ['geo.distance(name,name) lt 3'] }],
  ['castExpr', 'expr', { unsupported: ['cast(size,Edm.String)', 'isof(size,Edm.String)'] }],

  [
    'propertyPathExpr',
    'expr',
    {
      parsed: ['properties/port', 'properties/address/city'],
      unknown_name: ['properties/prot', 'color', 'name/first'],
      syntax: ['properties/'],
    },
  ],
  [
    'firstMemberExpr',
    'expr',
    { parsed: ['$it/size', '$it/properties/port'], unsupported: ['$this/size'], wrong_type: ['$it'] },
  ],
  ['rootExpr', 'expr', { unsupported: ['$root/things'] }],
  ['parameterAlias', '$filter', { unsupported: ['name eq @wanted', '@wanted'] }],
  ['annotationInUrl', '$filter', { unsupported: ["size/@unit eq 'm'"] }],
  ['qualifiedEntityTypeName', 'expr', { unsupported: ['Yard.Barge/name', 'properties/Yard.Extra/port'] }],
  ['boundFunctionExpr', 'expr', { unsupported: ['Yard.Heaviest()', 'parts/Yard.Heaviest()/name'] }],
  ['keyPredicate', 'expr', { unsupported: ['parts(3)/name'] }],
  [
    'collectionPathExpr',
    '$filter',
    { parsed: ['parts/any()', 'properties/tags/any()'], wrong_type: ['parts', 'properties/tags eq null'] },
  ],
  [
    'countPathExpr',
    '$filter',
    {
      parsed: ['parts/$count gt 2', 'properties/tags/$count eq 0'],
      unsupported: ['parts/$count($filter=size gt 1) gt 2'],
    },
  ],
  ['filterExpr', '$filter', { unsupported: ['parts/$filter(size gt 1)/$count gt 2'] }],
  [
    'anyExpr',
    '$filter',
    {
      parsed: [
        "parts/any(p:p/name eq 'mast')",
        "properties/tags/any(t:t eq 'new')",
        'parts/any(p:p/size gt $it/size)',
        'parts/any(p:p/owner/size eq p/size)',
      ],
      unknown_name: ['parts/any(p:p/weight gt 1)', 'parts/any(p:q/size gt 1)'],
      syntax: ['parts/any(p)', 'parts/any(p:)', 'parts/any(p:true'],
    },
  ],
  [
    'allExpr',
    '$filter',
    {
      parsed: ['parts/all(p:p/size gt 1)', 'parts/all(p:p/owner/parts/any(q:q/size eq p/size))'],
      syntax: ['parts/all()'],
      unsupported: ['all(p:true)'],
    },
  ],
  ['arrayOrObject', '$filter', { unsupported: ['[1,2] eq [1,2]', '{"port":1} eq properties', '{}'] }],

  [
    'filter',
    '$filter',
    { parsed: ["(flag or size gt 3) and not (name eq 'x')"], syntax: ['flag;size', 'flag -- size', 'flag,flag'] },
  ],
  [
    'orderby',
    '$orderby',
    {
      parsed: ['size', 'size desc,name', 'size  asc', 'size gt 3 desc', 'parts/$count'],
      syntax: ['size desc desc', 'size,', 'size down'],
    },
  ],
  ['orderby of what has no order', '$orderby', { wrong_type: ['properties', 'properties/anything', 'parts'] }],
  [
    'select',
    '$select',
    {
      parsed: ['id,name', '*', 'properties/address/city', 'name,name', 'properties/tags'],
      unknown_name: ['color'],
      syntax: ['id,', 'id name'],
    },
  ],
  [
    'select of other things',
    '$select',
    { unsupported: ['parts', 'Yard.Barge/name', 'properties($select=port)', '@unit'] },
  ],
  [
    'expand',
    '$expand',
    {
      parsed: [
        'parts',
        '*',
        'parts($select=name;$top=2)',
        "parts($filter=name eq 'x';$orderby=size desc;$count=true)",
        'parts(expand=owner)',
      ],
      unknown_name: ['pieces', 'name'],
      syntax: ['parts(', 'parts()', 'parts,parts', 'parts($top=1;$top=2)', 'parts($top)'],
      unsupported: [
        'parts/$ref',
        'parts/$count',
        'parts($levels=2)',
        'parts($skiptoken=x)',
        '@unit',
        'parts($search=x)',
      ],
    },
  ],
  [
    'expandOption of a single row',
    '$expand',
    { parsed: ['parts($expand=owner($select=name))'], wrong_type: ['parts($expand=owner($top=1))'] },
  ],
  ['top', '$top', { parsed: ['0', '25'], syntax: ['', '-3', '2.5', 'all', '3 3'], limit: ['99999999999999999999'] }],
  ['skip', '$skip', { parsed: ['0', '40'], syntax: ['-1', "'4'"] }],
  ['inlinecount', '$count', { parsed: ['true', 'false', 'TRUE'], syntax: ['', '1', 'yes', 'true false'] }],
];
