import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, suite, test } from 'node:test'
import { createFetcher } from './fetcher.ts'
import type { FetchInput } from './fetcher.ts'
import { FetchFailedError, FetchRefusedError } from './fetch-errors.ts'

// A server on this machine that no request may reach, and a counter of all sockets that the program opens.
let arrived = 0
const sink = createServer((socket) => {
  arrived += 1
  socket.destroy()
})
await new Promise<void>((resolve) => void sink.listen(0, '127.0.0.1', resolve))
const { port } = sink.address() as AddressInfo
let opened = 0
const count = () => void (opened += 1)
diagnostics.subscribe('net.client.socket', count)
after(() => {
  diagnostics.unsubscribe('net.client.socket', count)
  sink.close()
})
beforeEach(() => {
  opened = 0
  arrived = 0
})

const addresses: Record<string, string[]> = {
  'loopback.test': ['127.0.0.1'],
  'mixed.test': ['93.184.215.14', '127.0.0.1'],
  'mixed6.test': ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  localhost: ['127.0.0.1', '::1'],
}
const lookup = async (name: string) =>
  (addresses[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
// The port of the sink is allowed, so that only the address can be the reason of a refusal.
const fetcher = createFetcher({ userAgent: 'test', lookup, ports: [80, 443, port] })
after(() => fetcher.close())

async function refusal(url: string, input: Partial<FetchInput> = {}): Promise<string> {
  return fetcher.request({ url, maxBytes: 1000, ...input }).then(
    ({ status }) => `answered ${status}`,
    (err: unknown) => {
      if (err instanceof FetchRefusedError) return err.reason
      if (err instanceof FetchFailedError) return `failed: ${err.kind}`
      throw err
    },
  )
}

const words = (text: string): string[] => text.trim().split(/\s+/)

// This machine, in all notations that some parser accepts.
const THIS_MACHINE = words(`
  127.0.0.1 127.1 127.0.1 0x7f.1 0x7f000001 2130706433 0177.0.0.1 017700000001 127.0.0.1. %31%32%37.0.0.1
  １２７.0.0.1 ①②⑦.0.0.1 127。0。0。1 127.255.255.254 0.0.0.0 0 0x0 00.0.0.0 localhost LOCALHOST localhost. ｌｏｃａｌｈｏｓｔ
  [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:0001]
  [::127.0.0.1] [::7f00:1] [::ffff:0:127.0.0.1]
`)
const TRANSLATED_OR_TUNNELED = words(`
  [64:ff9b::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::8.8.8.8] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:a9fe:a9fe::1]
  [2001::1] [2001:0:7f00:1::1]
`)
const PRIVATE_RESERVED_OR_MULTICAST = words(`
  10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 100.127.255.255 169.254.169.254 192.0.0.1 192.0.2.1
  192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
  0.1.2.3 [ff02::1] [fe80::1] [fec0::1] [fc00::1] [fd12:3456:789a::1] [100::1] [4000::1] [::2] [1::1] [2001:db8::1]
  [2001:10::1] [2001:20::1] [3fff::1] [5f00::1]
`)
const NAMES_OF_THESE = words('loopback.test LoopBack.Test. mixed.test mixed6.test mapped.test metadata.test')
const REFUSED = [...THIS_MACHINE, ...TRANSLATED_OR_TUNNELED, ...PRIVATE_RESERVED_OR_MULTICAST, ...NAMES_OF_THESE]

suite('the fetcher does not connect', () => {
  test('FE1 FE2 FE10 to an address that is not public, in any notation', async () => {
    for (const host of REFUSED) {
      for (const at of [host, `${host}:${port}`]) {
        assert.equal(await refusal(`https://${at}/`), 'address', at)
        assert.equal(await refusal(`http://${at}/`, { allowHttp: true }), 'address', at)
        assert.equal(await refusal(`https://${at}/`, { method: 'POST', body: 'x' }), 'address', at)
      }
    }
    assert.deepEqual({ opened, arrived }, { opened: 0, arrived: 0 })
  })

  test('FE1 FE4 FE9 when it checks a URL, and it refuses URLs that requests would refuse', () => {
    const names = new Set(NAMES_OF_THESE)
    const refused = REFUSED.filter((host) => !names.has(host))
    for (const host of refused) {
      assert.throws(() => fetcher.checkUrl(`https://${host}/`), { name: 'FetchRefusedError', reason: 'address' }, host)
    }
    for (const url of ['http://example.com/', 'https://example.com:22/', 'https://me@example.com/', 'example.com'])
      assert.throws(() => fetcher.checkUrl(url), FetchRefusedError, url)
    for (const url of ['https://example.com/x?y', 'https://93.184.215.14/', 'https://[2606:2800:21f::1]/'])
      fetcher.checkUrl(url)
    assert.equal(opened, 0)
  })

  test('FE9 to ports other than 80 and 443', async () => {
    for (const other of [1, 22, 25, 81, 444, 3000, 5432, 6379, 8080, 65_535]) {
      assert.equal(await refusal(`https://example.com:${other}/`), 'port', String(other))
    }
    assert.equal(opened, 0)
  })

  test('FE9 to an ambiguous URL', async () => {
    const table: [string, string][] = [
      ['https://user:pass@example.com/', 'credentials'],
      ['https://user@example.com/', 'credentials'],
      ['https://@example.com/', 'credentials'],
      ['https://:@example.com/', 'credentials'],
      ['https://example.com\\@loopback.test/', 'url'],
      ['https://loopback.test\\@example.com/', 'url'],
      ['https://example.com\r\nhost: x/', 'url'],
      ['https://exam\tple.com/', 'url'],
      ['https://exam\nple.com/', 'url'],
      [' https://example.com/', 'url'],
      ['https://example.com/ x', 'url'],
      ['https://example.com/\u0000', 'url'],
      ['https:example.com', 'url'],
      ['https:///example.com', 'url'],
      ['https://', 'url'],
      ['https://[::1/', 'url'],
      ['https://1.2.3.4.5.6.7.8.9/', 'url'],
      ['https://256.256.256.256/', 'url'],
      ['https://exa%00mple.com/', 'url'],
      ['https://example.com:99999/', 'url'],
      ['//example.com/', 'url'],
      ['example.com', 'url'],
      ['', 'url'],
      [`https://example.com/${'x'.repeat(5000)}`, 'url'],
    ]
    for (const [url, reason] of table) assert.equal(await refusal(url), reason, JSON.stringify(url))
    assert.equal(opened, 0)
  })

  test('FE3 with other schemes than https, or http if that is allowed', async () => {
    const others = [
      'file:///etc/passwd',
      'ftp://example.com/',
      'gopher://example.com/',
      'data:,x',
      'javascript:1',
      'blob:x',
    ]
    for (const url of [...others, 'ws://example.com/', 'unix:/run/x', 'about:blank']) {
      assert.equal(await refusal(url), 'scheme', url)
      assert.equal(await refusal(url, { allowHttp: true }), 'scheme', url)
    }
    assert.equal(await refusal('http://example.com/'), 'scheme')
    assert.equal(opened, 0)
  })

  test('to overlay networks without public names', async () => {
    for (const url of ['https://abc.onion/', 'https://ABC.ONION./', 'https://abc.i2p/']) {
      assert.equal(await refusal(url), 'address', url)
    }
    assert.equal(await refusal('https://nowhere.test/'), 'failed: dns')
    assert.equal(opened, 0)
  })
})

test('the same addresses are reached if their range is allowed, so the tests above are meaningful', async () => {
  const permissiveFetcher = createFetcher({ userAgent: 'test', lookup, ports: [port], allowedPrivate: ['127.0.0.0/8'] })
  after(() => permissiveFetcher.close())
  for (const host of ['127.0.0.1', '127.1', '0x7f000001', '[::ffff:127.0.0.1]', 'loopback.test', 'LOOPBACK.test.']) {
    await assert.rejects(
      permissiveFetcher.request({ url: `https://${host}:${port}/`, maxBytes: 10 }),
      FetchFailedError,
      host,
    )
  }
  assert.deepEqual({ opened, arrived }, { opened: 6, arrived: 6 })
  for (const host of ['10.0.0.1', '[fe80::1]', '169.254.169.254', 'metadata.test', 'mixed6.test']) {
    await assert.rejects(
      permissiveFetcher.request({ url: `https://${host}:${port}/`, maxBytes: 10 }),
      FetchRefusedError,
      host,
    )
  }
  assert.equal(opened, 6)
})
