const UNITS = ['B', 'KB', 'MB', 'GB', 'TB']

/** Formats bytes in decimal units (powers of 1000). */
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`
}
