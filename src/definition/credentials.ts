/*
 * Takes credentials out of texts of others: messages of drivers and clients repeat the address or the header with which they were given
 * one, and everybody who may read an entity reads why its call failed.
 *
 * credentials.1. It errs on the side of hiding: what looks like a credential is one.
 * credentials.2. It takes time in proportion to the text, whatever the text is: no part of an expression repeats without a limit
 *     before it has found where it begins.
 */

const HIDDEN = '***';

/** The end or the part of a name whose value is a credential. */
const NAME =
  'pass(?:word|wd|phrase)?|pwd|secret|token|credentials?|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|shared[_-]?key|signature|sig|jwt|sas|session[_-]?id';
const NAMED = `(?<![a-z])(?:${NAME})|(?<=[a-z])(?:password|passwd|pwd|secret|token|credential|key(?=["']?\\s{0,3}[=:]))`;
const VALUE = `"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'|[^\\s&;,"'<>)}\\]]+`;

const RULES: readonly (readonly [find: RegExp, put: string])[] = [
  // A private key, also one that is cut off.
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----END))*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g, HIDDEN],
  // scheme://user:password@host, where a password may have any character but a space. These very words are a template in our own messages.
  [
    /(?<![a-z\d+.-])([a-z][a-z\d+.-]{0,30}:\/\/)(?!user:password@host\b)(?:[^\s/?#"'<>@]*:(?!\d{1,5}(?:[/?#]|$))[^\s"'<>]*|[^\s/?#"'<>]+)@/gi,
    `$1${HIDDEN}@`,
  ],
  // The signed address at which a call of Reeve is answered.
  [/(\/api\/callbacks\/)[^\s"'<>)}\]]+/g, `$1${HIDDEN}`],
  [/\b(authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:[a-z-]{1,20} )?)[^\s"',;]+/gi, `$1${HIDDEN}`],
  [/\b((?:set-)?cookie["']?\s{0,3}[:=])[^\n]*/gi, `$1 ${HIDDEN}`],
  [
    /\b([Bb]earer|BEARER|[Bb]asic|BASIC|Digest|Negotiate|[Tt]oken|ApiKey) +(?=\S{0,500}?(?:[\d=]|[a-z][A-Z]))[\w.~+/=-]{8,}/g,
    `$1 ${HIDDEN}`,
  ],
  // password=..., "clientSecret": "...", --token ..., X-Amz-Signature=...
  [new RegExp(`((?:${NAMED})["']?\\s{0,3}=\\s{0,3})(?:${VALUE})`, 'gi'), `$1${HIDDEN}`],
  [new RegExp(`((?:${NAMED})\\\\?["']\\s{0,3}:\\s{0,3})(?:\\\\"[^"\\\\]*\\\\"|${VALUE})`, 'gi'), `$1"${HIDDEN}"`],
  [
    new RegExp(
      `((?:${NAMED})\\s{0,3}:\\s{0,3})(?:"[^"]+"|'[^']+'|(?=\\S{0,200}?[\\d!@#$%^*_+/])[^\\s&;,"'<>)}\\]]{6,})`,
      'gi',
    ),
    `$1${HIDDEN}`,
  ],
  [new RegExp(`((?<=^|\\s)--?(?:[a-z-]{0,20})(?:${NAME})[ =])\\S+`, 'gi'), `$1${HIDDEN}`],
  [/( -u |--user[ =])[^\s:]+:\S+/g, `$1${HIDDEN}`],
  // Credentials with a form of their own.
  [/\beyJ[\w-]{5,}\.[\w-]{5,}\.?[\w-]*/g, HIDDEN],
  [
    /\b(?:gh[opsur]_|github_pat_|glpat-|npm_|xox[abeprs]-|sk[-_](?:live[-_]|test[-_]|proj-)?|rk_live_|hvs\.|SG\.|AIza|dop_v1_)[\w.-]{12,}/g,
    HIDDEN,
  ],
  [/\b(?:AKIA|ASIA)[A-Z\d]{16}\b/g, HIDDEN],
];

/** The text without the credentials in it. */
export function withoutCredentials(text: string): string {
  return RULES.reduce((said, [find, put]) => said.replaceAll(find, put), text);
}
