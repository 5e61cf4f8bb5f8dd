import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from './parse-query.ts'

/** Returns the clauses of a query in a short form. */
const read = (query: string) =>
  parseQuery(query).map(({ kind, text, negated }) => `${negated ? 'not ' : ''}${kind} <${text}>`)

test('a query consists of words, phrases, hashtags and operators, and each can be negated', () => {
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

test('unknown operators are treated as words', () => {
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

test('the length of a query and the number of its clauses are limited', () => {
  assert.equal(parseQuery('a '.repeat(10_000)).length, 32)
  assert.equal(parseQuery('a'.repeat(10_000))[0]!.text.length, 1_000)
  assert.deepEqual(read('a\0b \ud800'), ['words <a>', 'words <b>', 'words <\ufffd>'])
})
