/** The code with which the server closes connections whose token was revoked (RFC 6455 §7.4.1: policy violation). */
const REFUSED = 1008

/**
 * A WebSocket that dispatches `linnet-stream-open` at the document when the client has subscribed again, and
 * `linnet-stream-refused` when the server has closed the connection for good.
 */
// oxlint-disable-next-line no-restricted-globals -- the only place that opens one.
export class StreamSocket extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols)
    this.addEventListener('open', () => setTimeout(() => document.dispatchEvent(new Event('linnet-stream-open'))))
    this.addEventListener('close', ({ code }) => {
      if (code === REFUSED) document.dispatchEvent(new Event('linnet-stream-refused'))
    })
  }
}
