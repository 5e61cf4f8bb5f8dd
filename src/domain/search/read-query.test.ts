import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readQuery } from './read-query.ts'

/** The conditions in short. */
const read = (query: string) =>
  readQuery(query).map(({ kind, text, negated }) => `${negated ? 'not ' : ''}${kind} <${text}>`)

test('a query is words, phrases, hashtags and operators, and any of them may be turned round', () => {
  assert.deepEqual(read('one "two three" +four -five -"six seven" #Eight -＃Nine'), [
    'words <one>',
    'words <two three>',
    'words <four>',
    'not words <five>',
    'not words <six seven>',
    'hashtag <eight>',
    'not hashtag <nine>',
  ])
  assert.deepEqual(read('has:media -is:reply from:@a@b.example before:2026-01-01 language:"pt-BR" in:library'), [
    'has <media>',
    'not is <reply>',
    'from <@a@b.example>',
    'before <2026-01-01>',
    'language <pt-BR>',
    'in <library>',
  ])
})

test('what is no operator is words', () => {
  assert.deepEqual(read('From:me https://a.example/#b from: x:y #1 -- "open'), [
    'words <From:me>',
    'words <https://a.example/#b>',
    'words <from:>',
    'words <x:y>',
    'words <#1>',
    'not words <->',
    'words <open>',
  ])
})

test('only so much of a query counts', () => {
  assert.equal(readQuery('a '.repeat(10_000)).length, 32)
  assert.equal(readQuery('a'.repeat(10_000))[0]!.text.length, 1_000)
  assert.deepEqual(read('a\0b \ud800'), ['words <a>', 'words <b>', 'words <\ufffd>'])
})
