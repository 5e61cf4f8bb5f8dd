import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { preferredRepresentation } from './preferred-representation.ts'

const LD = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'

test('a browser prefers a page, another server a document, and other programs neither', () => {
  for (const [accept, kind] of [
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'page'],
    ['text/html', 'page'],
    ['TEXT/HTML ; q=1', 'page'],
    ['application/activity+json', 'document'],
    [LD, 'document'],
    [`application/activity+json, ${LD}, text/html;q=0.1`, 'document'],
    ['application/json', 'document'],
    ['text/html, application/activity+json', 'document'],
    ['text/html;q=0.9, application/activity+json;q=0.5', 'page'],
    ['text/html, application/activity+json;q=0', 'page'],
    ['text/html;q=0', null],
    ['*/*', null],
    ['image/png', null],
    ['', null],
    [undefined, null],
  ] as const) {
    assert.equal(preferredRepresentation(accept), kind, accept ?? 'no header')
  }
})

test('any header has a result', () => {
  fc.assert(
    fc.property(fc.string(), (accept) =>
      assert.ok([null, 'page', 'document'].includes(preferredRepresentation(accept))),
    ),
  )
})
