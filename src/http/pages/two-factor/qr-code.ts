import { encode } from 'uqr'
import { html } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'

/** The empty border that readers need, in modules (ISO/IEC 18004). */
const BORDER_MODULES = 4

/** Returns a QR code as SVG. It is dark on light in dark colour schemes, too, since some readers accept nothing else. */
export function qrCode(text: string, { label }: { label: string }): SafeHtml {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER_MODULES })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return html`<svg class="qr-code" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}">
    <rect width="${size}" height="${size}" fill="#fff" />
    <path d="${path}" fill="#000" />
  </svg>`
}
