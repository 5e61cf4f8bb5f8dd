import { html } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'

/** A row of figures, each with the noun that it counts. */
export function figures(label: string, facts: readonly [number: string, noun: string][]): SafeHtml {
  return html`<dl class="facts" aria-label="${label}">
    ${facts.map(
      ([number, noun]) =>
        html`<div>
          <dt>${noun}</dt>
          <dd>${number}</dd>
        </div>`,
    )}
  </dl>`
}
