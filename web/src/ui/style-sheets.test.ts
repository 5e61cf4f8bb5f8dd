import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const ROOT = new URL('../../../', import.meta.url).pathname

/** What Firefox ESR 140 or Safari 17 lack, and what the page is not usable without. */
const MISSING =
  /(?<![\w-])(?:(?:anchor-name|position-(?:anchor|area|try[a-z-]*)|interpolate-size)\s*:|(?:anchor|anchor-size|calc-size)\(|@scope\b)/

test('style sheets place nothing with properties that Firefox ESR and Safari lack', () => {
  const files = globSync(['web/src/**/*.css', 'src/http/pages/layout/*.css'], { cwd: ROOT })
  assert.ok(files.length > 100)
  const found = files.filter((file) => MISSING.test(readFileSync(ROOT + file, 'utf8')))
  assert.deepEqual(found, [])
})
