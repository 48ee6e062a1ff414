// Tests compare what is printed; whether colours are forced where they run must not matter to them.
delete process.env.FORCE_COLOR;
process.env.NO_COLOR = '1';
