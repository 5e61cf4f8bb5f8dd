import type { StartData } from '../../../src/http/web-client/document.ts'

/** What the server knew when it sent the document: the account of the browser session, the site, and the language. */
export const startData: StartData = readStartData()

function readStartData(): StartData {
  const json = document.querySelector('#start-data')?.getAttribute('data-json')
  if (!json) throw new Error('The document has no start data')
  return JSON.parse(json) as StartData
}
