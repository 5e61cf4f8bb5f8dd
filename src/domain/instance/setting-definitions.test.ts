import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GERMAN } from '../../lib/error-texts/german.ts'
import { SETTING_NAMES, SETTINGS } from './setting-definitions.ts'

test('errors of each setting that is typed in name it in the language of the request', () => {
  const typed = SETTING_NAMES.filter((name) => ['line', 'text', 'integer'].includes(SETTINGS[name].kind))
  assert.ok(typed.length > 10)
  for (const name of typed) assert.ok(Object.hasOwn(GERMAN.attributes, name.replaceAll('-', '_')), name)
})
