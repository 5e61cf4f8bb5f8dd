import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCamelCase, toSnakeCase } from './convert-names.ts'

test('names of properties change their case at every depth, and values stay', () => {
  const sent = {
    contact_email: 'a_b@birds.test',
    rule_ids: ['1'],
    items: [{ all_day: true, require_2fa: false }],
    id: null,
  }
  const read = {
    contactEmail: 'a_b@birds.test',
    ruleIds: ['1'],
    items: [{ allDay: true, require_2fa: false }],
    id: null,
  }
  assert.deepEqual(toCamelCase(sent), read)
  assert.deepEqual(toSnakeCase(read), sent)
})

test('keys that are not names of properties stay as they are', () => {
  const translations = { 'pt-BR': { text: 'Sem ódio' }, 'zh-TW': { text: '不仇恨' }, _destroy: true }
  assert.deepEqual(toCamelCase(translations), translations)
  assert.deepEqual(toSnakeCase(translations), translations)
})
