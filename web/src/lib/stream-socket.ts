/** The code with which the server closes connections whose token was revoked (RFC 6455 §7.4.1: policy violation). */
const REFUSED = 1008

/**
 * A WebSocket without the errors that the server sends about single streams, for example that of a list which was
 * deleted meanwhile. masto.js would end all subscriptions of the connection at such an error. Dispatches
 * `linnet-stream-open` at the document when masto.js has subscribed again, and `linnet-stream-refused` when the server
 * has closed the connection for good.
 */
// oxlint-disable-next-line no-restricted-globals -- masto.js opens it.
export class StreamSocket extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols)
    // The first listener, so that no other one gets these messages.
    this.addEventListener('message', (event: MessageEvent<string>) => {
      if ('error' in (JSON.parse(event.data) as object)) event.stopImmediatePropagation()
    })
    this.addEventListener('open', () => setTimeout(() => document.dispatchEvent(new Event('linnet-stream-open'))))
    this.addEventListener('close', ({ code }) => {
      if (code === REFUSED) document.dispatchEvent(new Event('linnet-stream-refused'))
    })
  }
}
