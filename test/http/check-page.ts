import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Checks the accessibility of a page with all details open, and that it is no wider than the window. */
export async function checkPage(page: Page, name: string): Promise<void> {
  for (const details of await page.locator('details').all()) {
    await details.evaluate((element) => element.setAttribute('open', ''))
  }
  await page.evaluate(axe.source)
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
