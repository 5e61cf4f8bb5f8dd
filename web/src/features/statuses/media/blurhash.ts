const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~'
const HEADER_CHARACTERS = 6

/** Returns the square picture that a Blurhash describes, as RGBA; null for an invalid one. */
export function decodeBlurhash(hash: string, size: number): Uint8ClampedArray<ArrayBuffer> | null {
  const digits = Array.from(hash, (character) => DIGITS.indexOf(character))
  const sizes = digits[0] ?? 0
  const [columns, rows] = [(sizes % 9) + 1, Math.floor(sizes / 9) + 1]
  if (digits.includes(-1) || digits.length !== 4 + 2 * columns * rows || digits.length < HEADER_CHARACTERS) return null
  const read = (from: number, to: number) => digits.slice(from, to).reduce((value, digit) => value * 83 + digit, 0)

  const maximum = (read(1, 2) + 1) / 166
  const toAmplitude = (value: number) => Math.sign(value - 9) * ((value - 9) / 9) ** 2 * maximum
  const average = read(2, HEADER_CHARACTERS)
  const colours = [[average >> 16, (average >> 8) & 255, average & 255].map(toLinear)]
  for (let index = HEADER_CHARACTERS; index < digits.length; index += 2) {
    const value = read(index, index + 2)
    colours.push([Math.floor(value / 361), Math.floor(value / 19) % 19, value % 19].map(toAmplitude))
  }

  const cosines = (count: number) =>
    Array.from({ length: size }, (_, at) =>
      Array.from({ length: count }, (_, wave) => Math.cos((Math.PI * at * wave) / size)),
    )
  const [xCosines, yCosines] = [cosines(columns), cosines(rows)]
  const pixels = new Uint8ClampedArray(size * size * 4)
  for (let pixel = 0; pixel < size * size; pixel += 1) {
    const [xs, ys] = [xCosines[pixel % size]!, yCosines[Math.floor(pixel / size)]!]
    for (let channel = 0; channel < 3; channel += 1) {
      let sum = 0
      for (const [index, colour] of colours.entries())
        sum += colour[channel]! * xs[index % columns]! * ys[Math.floor(index / columns)]!
      pixels[pixel * 4 + channel] = toSrgb(sum)
    }
    pixels[pixel * 4 + 3] = 255
  }
  return pixels
}

function toLinear(value: number): number {
  const fraction = value / 255
  return fraction <= 0.04045 ? fraction / 12.92 : ((fraction + 0.055) / 1.055) ** 2.4
}

function toSrgb(linear: number): number {
  const value = Math.min(1, Math.max(0, linear))
  return Math.trunc((value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055) * 255 + 0.5)
}
