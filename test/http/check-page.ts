import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Half as long as `axe.source`, since every document parses it anew. */
const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

/** Checks the accessibility of a page with all details open, and that it is no wider than the window. */
export async function checkPage(page: Page, name: string): Promise<void> {
  const hasAxe = await page.evaluate<boolean>(
    `document.querySelectorAll('details').forEach((element) => element.setAttribute('open', '')), 'axe' in window`,
  )
  if (!hasAxe) await page.evaluate(AXE)
  // All rules run. Describing each element that satisfies one would take as long as the rules.
  const { passCount, violations } = await page.evaluate<{ passCount: number; violations: AxeResults['violations'] }>(
    `axe.run({ resultTypes: ['violations'] })
      .then(({ passes, violations }) => ({ passCount: passes.length, violations }))`,
  )
  assert.ok(passCount > 10, name)
  const descriptions = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  assert.deepEqual(descriptions, [], name)
  const [content, window] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )
  assert.ok(content <= window, `${name} is ${content} pixels wide in a window of ${window}`)
}
