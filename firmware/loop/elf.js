// An image as the compiler links it → the bytes that are flashed.

const LOAD = 1;

/** Copies the segments of a 32-bit little-endian ELF file that lie in the flash memory at an address. */
export function flash(file, memory, address) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (view.getUint32(0) !== 0x7f454c46 || view.getUint16(4) !== 0x0101) {
    throw new Error("no 32-bit little-endian ELF file");
  }
  const [table, size, count] = [view.getUint32(28, true), view.getUint16(42, true), view.getUint16(44, true)];
  for (let at = table; at < table + size * count; at += size) {
    const [type, from, , to, bytes] = [0, 4, 8, 12, 16].map((field) => view.getUint32(at + field, true));
    if (type === LOAD && bytes > 0 && to >= address && to + bytes <= address + memory.length) {
      memory.set(file.subarray(from, from + bytes), to - address);
    }
  }
}
