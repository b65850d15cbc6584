fn main() {
    hattari_sources::embed();
}
