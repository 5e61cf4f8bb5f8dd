import { html } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'

/** A few figures in a row, each with its noun. */
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
