import fc from 'fast-check'
import { CODE_POINT } from './code-points.ts'

/** The elements, attributes and URL schemes that sanitised HTML may contain. */
export const ELEMENTS = new Set('p br span a del s pre blockquote code b strong u i em ul ol li ruby rt rp'.split(' '))
export const ATTRIBUTES = new Set('href class rel target translate lang start reversed value'.split(' '))
export const SCHEMES = /^(?:https?|dat|dweb|ipfs|ipns|ssb|gopher|xmpp|magnet|gemini):/i

/** HTML that browsers parse differently from simple parsers (mutation XSS). */
export const MXSS = [
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<math><annotation-xml encoding="text/html"><p><style><img src=x onerror=alert(1)></style></annotation-xml></math>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<p title="<!--"><img src=x onerror=alert(1)>--></p>',
  '<textarea><script>alert(1)</script></textarea><title><img src=x onerror=alert(1)></title>',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>">',
  '<a href="http://a.b/&quot;onmouseover=&quot;alert(1)">x</a>',
  '<a href="http://a.b/`onmouseover=alert(1)`" lang="`x`" class="h-`x">x</a>',
  '<<script>script>alert(1)<</script>/script>',
  '<scr<script></script>ipt>alert(1)</scr</script>ipt>',
  '<p/onclick=alert(1)>x<p\fonclick=alert(1)>y<p\u00a0onclick=alert(1)>z',
  '&lt;img src=x onerror=alert(1)&gt;&amp;lt;script&amp;gt;',
  '<template><script>alert(1)</script></template><plaintext><script>alert(1)</script>',
  '<table><a href="javascript:alert(1)">x<td></table><select><script>alert(1)</script></select>',
  '<svg><foreignObject><p><svg><title><p title="</title><img src onerror=alert(1)>">',
  '<p><a href="http://a.b"><p><a href="http://c.d"><li><a href="http://e.f"><ruby><rt><p><rt>',
]
const NAMES = `p br span a del s pre blockquote code b strong u i em ul ol li ruby rt rp h1 h3 math mi mtext semantics
  annotation annotation-xml svg title foreignObject style script div table td form img select template textarea noscript
  xmp section`.split(/\s+/)
const VALUES = ['', 'a b', ...`http://a.b javascript:x mention h-x no 3 " ' < > \` -- =`.split(' ')]
/** Fragments of HTML in random order, which cover most cases in which parsers differ. */
export const hostileHtml = fc
  .array(
    fc.oneof(
      fc.constantFrom(...NAMES).map((name) => `<${name}>`),
      fc.constantFrom(...NAMES).map((name) => `</${name}>`),
      fc
        .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...ATTRIBUTES, 'id', 'onclick'), fc.constantFrom(...VALUES))
        .map(([name, attribute, value]) => `<${name} ${attribute}="${value}">`),
      fc.constant('<a href="https://a.b/x">'),
      fc.constantFrom(' ', '\n', '\0', ...'text &lt; &amp; & < > " <!-- --> &#0; &#13; 😀 &nbsp; /'.split(' ')),
      fc.string({ unit: CODE_POINT, maxLength: 4 }),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''))
