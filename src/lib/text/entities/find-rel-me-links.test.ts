import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRelMeLinks } from './find-rel-me-links.ts'

const PAGE = 'https://alice.example/about/'
const find = (html: string) => findRelMeLinks(html, { pageUrl: PAGE })
const ME = 'https://linnet.test/@alice'

test('link and a elements with rel="me" are found, with other relations and in any notation', () => {
  for (const html of [
    `<a rel="me" href="${ME}">me</a>`,
    `<a href='${ME}' rel='nofollow ME noopener'>me</a>`,
    `<A HREF=${ME} REL=me>`,
    `<link rel="me" href="${ME}">`,
    `<link rel="me" href="${ME}"/>`,
    `<p><b><a rel="external\nme" href="  ${ME} ">me`,
    `<a rel=me href="&#104;ttps://linnet.test/&commat;alice">me</a>`,
    `<a rel="me" rel="no" href="//linnet.test/@alice">me</a>`,
  ]) {
    assert.deepEqual(find(html), [ME], html)
  }
  assert.deepEqual(find('<a rel=me href="../x#y">'), ['https://alice.example/x#y'])
})

test('other relations and text that is not an element are ignored', () => {
  for (const html of [
    `<a href="${ME}">me</a>`,
    `<a rel="mee" href="${ME}">`,
    `<a rel="not-me" href="${ME}">`,
    `<a rel="me">`,
    `<a rel="me" href="http://[">`,
    `<area rel="me" href="${ME}">`,
    `<!-- <a rel="me" href="${ME}"> -->`,
    `<script>'<a rel="me" href="${ME}">'</script>`,
    `<textarea><a rel="me" href="${ME}"></textarea>`,
    `<title><a rel="me" href="${ME}"></title>`,
    `&lt;a rel="me" href="${ME}"&gt;`,
    `<a title='<a rel="me" href="${ME}">'>`,
  ]) {
    assert.deepEqual(find(html), [], html)
  }
})

test('IN21 the time for a page is linear in its length, with any nesting', () => {
  for (const piece of ['<b>', '<a rel="me" href="/x">', '</i>', '<svg>', '<p a b c d e>', '<', '<a ', '&amp']) {
    const html = piece.repeat(Math.floor(1_000_000 / piece.length))
    const before = process.threadCpuUsage()
    assert.ok(find(html).length <= 500)
    const { user, system } = process.threadCpuUsage(before)
    assert.ok(user + system < 2_000_000, `${piece}: ${user + system} µs`)
  }
})
