import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRow, findKeywordChanges, toRow } from './keyword-changes.ts'

const finale = { id: '1', keyword: 'finale', wholeWord: true }
const season = { id: '2', keyword: 'season', wholeWord: false }

test('keywords that stay as they are need no change', () => {
  assert.deepEqual(findKeywordChanges([finale, season], [finale, season].map(toRow)), [])
})

test('changed keywords are updated, emptied and missing ones are removed, and new ones are added without spaces', () => {
  assert.deepEqual(findKeywordChanges([finale], [{ ...toRow(finale), wholeWord: false }]), [
    { id: '1', keyword: 'finale', wholeWord: false },
  ])
  assert.deepEqual(findKeywordChanges([finale, season], [{ ...toRow(finale), keyword: ' ' }]), [
    { id: '1', _destroy: true },
    { id: '2', _destroy: true },
  ])
  assert.deepEqual(findKeywordChanges([], [createRow(' spoiler '), createRow('')]), [
    { keyword: 'spoiler', wholeWord: true },
  ])
})
