import Bowser from 'bowser'

/**
 * Returns the name of the browser or app and of the operating system that a user agent (RFC 9110 §10.1.5) names, for
 * people: `Firefox · Linux`. Null: it names neither.
 */
export function describeBrowser(userAgent: string): string | null {
  if (userAgent === '') return null
  const { browser, os } = Bowser.parse(userAgent)
  const names = [browser.name, os.name].filter((name) => name !== undefined && name !== '')
  return names.length === 0 ? null : names.join(' · ')
}
